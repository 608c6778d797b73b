import type { WebSocket } from 'ws';

/** How a command ends that did well. */
export const success = { status: 'Success' };
/** How a command ends that did not. */
export const exited = (code: number) => ({
  status: 'Failure',
  reason: 'NonZeroExitCode',
  message: `command terminated with non-zero exit code: exit status ${code}`,
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

/** The kubelet's end of a socket to a process. */
export class FakeProcess {
  readonly socket: WebSocket;
  /** Payloads by channel, as they came. */
  readonly received: [number, Buffer][] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.received.push([data[0] ?? -1, data.subarray(1)]));
    // Kubernetes announces its channels so.
    for (const channel of [1, 2, 3]) this.write(channel, '');
  }

  /** Sizes of its terminal, as they came. */
  get sizes(): unknown[] {
    return this.received.flatMap(([channel, data]) => (channel === 4 ? [JSON.parse(data.toString())] : []));
  }

  write(channel: number, data: string | Buffer, left?: () => void): void {
    this.socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(data)]), () => left?.());
  }

  end(status: object): void {
    this.write(3, JSON.stringify(status));
    this.socket.close(1000);
  }

  /** All that was written to its stdin. */
  input(): Buffer {
    return Buffer.concat(this.received.filter(([channel]) => channel === 0).map(([, data]) => data));
  }

  get inputEnded(): boolean {
    return this.received.some(([channel, data]) => channel === 255 && data[0] === 0);
  }
}
