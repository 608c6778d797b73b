import type { AttachedStream } from './attached-stream.ts';

/**
 * Connections to processes that nobody listens to now, and that may not be closed: Podman 4.3 ends a process's stdin with any connection to it,
 * one for output alone included, so that closing a console would end what reads. They are used again, so there are no more of a workload than
 * it once had consoles open at a time; the engine closes them with the process. With this program they end, too, and such a stdin with them.
 */
export class HeldStreams {
  readonly #byUuid = new Map<string, AttachedStream[]>();

  hold(uuid: string, stream: AttachedStream): void {
    stream.listen(null);
    this.#byUuid.set(uuid, [...(this.#byUuid.get(uuid) ?? []), stream]);
    void stream.untilOver().then(() => this.#drop(uuid, stream));
  }

  /** One of the workload's, which is held no longer; `null` where there is none. */
  take(uuid: string): AttachedStream | null {
    const stream = this.#byUuid.get(uuid)?.find(({ isOver }) => !isOver) ?? null;
    if (stream) this.#drop(uuid, stream);
    return stream;
  }

  #drop(uuid: string, stream: AttachedStream): void {
    const others = (this.#byUuid.get(uuid) ?? []).filter((each) => each !== stream);
    if (others.length > 0) this.#byUuid.set(uuid, others);
    else this.#byUuid.delete(uuid);
  }
}
