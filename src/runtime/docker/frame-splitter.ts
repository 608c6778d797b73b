const headerLength = 8;

/** Takes Docker's multiplexed stream as it comes, cut anywhere, and gives the payloads of both streams in their order. Frames as in `log-frames.ts`. */
export class FrameSplitter {
  #header = Buffer.alloc(0);
  /** Of the payload under way, still to come. */
  #missing = 0;

  split(chunk: Buffer): Buffer[] {
    const payloads: Buffer[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#missing === 0) {
        const wanted = headerLength - this.#header.length;
        this.#header = Buffer.concat([this.#header, rest.subarray(0, wanted)]);
        rest = rest.subarray(wanted);
        if (this.#header.length < headerLength) break;
        this.#missing = this.#header.readUInt32BE(4);
        this.#header = Buffer.alloc(0);
      } else {
        const payload = rest.subarray(0, this.#missing);
        payloads.push(payload);
        this.#missing -= payload.length;
        rest = rest.subarray(payload.length);
      }
    }
    return payloads;
  }
}
