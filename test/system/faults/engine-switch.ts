import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { EngineTarget } from '../../../src/runtime/docker/engine-target.ts';

/** A socket in front of an engine that can be cut, as when the engine dies, and mended. */
export class EngineSwitch {
  readonly target: EngineTarget;
  readonly #behind: string;
  readonly #path: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;

  private constructor(behind: EngineTarget, path: string) {
    this.#behind = behind.socketPath ?? '';
    this.#path = path;
    this.target = { ...behind, socketPath: path };
  }

  static async open(behind: EngineTarget, folder: string): Promise<EngineSwitch> {
    const engineSwitch = new EngineSwitch(behind, join(folder, 'switch.sock'));
    await engineSwitch.mend();
    return engineSwitch;
  }

  /** From now on nobody is there, and who was being answered is not any more. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = null;
    await rm(this.#path, { force: true });
  }

  async mend(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.#behind);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#path, resolve));
  }
}
