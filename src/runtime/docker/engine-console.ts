import { Readable, Writable } from 'node:stream';
import type { Console, TerminalSize } from '../console.ts';
import type { AttachedStream, StreamListener } from './attached-stream.ts';
import type { UnansweredWindow } from './unanswered-window.ts';

export interface EngineConsoleOptions {
  hasStdin: boolean;
  /** Where no more may be sent at once; absent: as much as the connection takes. */
  window?: UnansweredWindow | null;
  /** What is heard for bytes that come; absent: themselves. */
  reworded?: (bytes: Buffer) => Buffer;
  /** Why the connection is over, where it is not because the process is. */
  loss(): Promise<Error | null>;
  resize(size: TerminalSize, over: () => boolean): Promise<void>;
  /** Lets go of the connection, whose process goes on. */
  release(stream: AttachedStream): void;
}

/** A console on a connection; `open` gets its listener and answers the connection, which is new or was in other hands. */
export function engineConsole(open: (listener: StreamListener) => AttachedStream, options: EngineConsoleOptions): Console {
  let isClosed = false;
  const output = new Readable({ read: () => stream.resume() });
  const input = new Writable({
    // What nobody takes any more is no error here: the output tells why. Its end stays here: Docker takes that for the wish to have no more
    // output, where stdin is open for the next who attaches.
    write: (bytes: Buffer, _encoding, done) => (options.hasStdin ? send(bytes, done) : done()),
  });
  const { window } = options;
  const write = (bytes: Buffer) => new Promise<void>((resolve) => stream.write(bytes, resolve));
  const send = (bytes: Buffer, done: () => void) => void (window ? window.send(bytes, write) : write(bytes)).then(done);
  for (const each of [output, input]) each.on('error', () => {});
  const stream = open({
    data: (bytes) => {
      window?.answered(bytes.length);
      return output.push(options.reworded?.(bytes) ?? bytes);
    },
    over: () => {
      window?.end();
      if (isClosed) return;
      void options.loss().then((loss) => (loss ? output.destroy(loss) : output.push(null)));
    },
  });
  return {
    output,
    input,
    resize: (size) => options.resize(size, () => isClosed || stream.isOver),
    close: () => {
      if (isClosed) return;
      isClosed = true;
      window?.end();
      output.destroy();
      input.destroy();
      options.release(stream);
    },
  };
}
