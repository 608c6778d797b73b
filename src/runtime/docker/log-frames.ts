/** A piece of output as the engine multiplexes it: stream 1 is stdout, 2 is stderr. */
export interface LogFrame {
  stream: number;
  payload: Buffer;
}

const headerLength = 8;

/**
 * Splits Docker's multiplexed stream: each frame has one byte of stream, three of zero, four of length (big endian), then its
 * payload. A frame cut off at the end is given as far as it came.
 */
export function logFrames(bytes: Buffer): LogFrame[] {
  const frames: LogFrame[] = [];
  let offset = 0;
  while (offset + headerLength <= bytes.length) {
    const end = offset + headerLength + bytes.readUInt32BE(offset + 4);
    frames.push({ stream: bytes.readUInt8(offset), payload: bytes.subarray(offset + headerLength, end) });
    offset = end;
  }
  return frames;
}
