import type { Clock } from '../../telemetry/clock.ts';
import type { Console, ConsoleTarget, TerminalSize } from '../console.ts';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { AttachedStream } from './attached-stream.ts';
import type { EngineClient } from './engine-client.ts';
import { type EngineConsoleOptions, engineConsole } from './engine-console.ts';
import { rewordedRefusals } from './exec-refusal.ts';
import { HeldStreams } from './held-streams.ts';
import type { InspectedContainer } from './observation.ts';
import { UnansweredWindow } from './unanswered-window.ts';
import { workloadName } from './workload-name.ts';

/** A terminal may come a little later than its process's connection: so often, and so many milliseconds apart, its size is set. */
const sizeTries = 40;
const sizePause = 50;
/**
 * Bytes that Podman's terminals are sent ahead: up to 4096, which a terminal holds for who does not read, nothing was left waiting; with 16384 the
 * workload of every such command could not be removed. What reads silently more than that, without echo, waits until it says something.
 */
const terminalWindow = 3072;
/** Milliseconds that the engine may be silent about what a console asks beside it. */
const askSilence = 10_000;

/**
 * What, typed into a terminal, makes the engine let go of it. There is no way to have none, and by default it is two keys of everyday use. A byte
 * that could be the beginning is held until the next comes: NUL is the rarest.
 */
const detachKeys = 'ctrl-@,ctrl-_,ctrl-^,ctrl-],ctrl-@,ctrl-_,ctrl-^,ctrl-],ctrl-@,ctrl-_,ctrl-^,ctrl-]';

/** Consoles of workloads, each on a connection of its own to the engine. Not running is a `conflict`. */
export class WorkloadConsoles {
  readonly #engine: EngineClient;
  readonly #clock: Clock;
  readonly #held = new HeldStreams();

  constructor(engine: EngineClient, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  open(uuid: string, target: ConsoleTarget, signal?: AbortSignal): Promise<Console> {
    return target.kind === 'attach' ? this.#attach(uuid, signal) : this.#exec(uuid, target, signal);
  }

  async #attach(uuid: string, signal?: AbortSignal): Promise<Console> {
    const path = `/containers/${workloadName(uuid)}`;
    const { Id, State, Config } = await this.#engine.json<InspectedContainer>({ method: 'GET', path: `${path}/json`, signal });
    // Both engines hand over a connection to what has ended, and Podman to what was never started.
    if (!State?.Running && State?.Status !== 'paused') throw new RuntimeFault('conflict', `Container ${Id ?? ''} is not running`);
    const [hasTerminal, hasStdin] = [Config?.Tty === true, Config?.OpenStdin === true];
    const isPodman = (await this.#engine.kind(signal)) === 'podman';
    const endsStdin = hasStdin && !hasTerminal && isPodman;
    const options: EngineConsoleOptions = {
      hasStdin,
      window: hasTerminal && isPodman ? new UnansweredWindow(terminalWindow) : null,
      loss: () => this.#loss(),
      resize: this.#resizing(path, hasTerminal),
      release: (stream) => (endsStdin ? this.#held.hold(uuid, stream) : stream.close()),
    };
    const held = this.#held.take(uuid);
    if (held) {
      return engineConsole((listener) => {
        held.listen(listener);
        return held;
      }, options);
    }
    const query = { stream: true, stdin: hasStdin, stdout: true, stderr: true, detachKeys };
    const socket = await this.#engine.hijack({ method: 'POST', path: `${path}/attach`, query, signal });
    return engineConsole((listener) => new AttachedStream(socket, !hasTerminal, listener), options);
  }

  async #exec(uuid: string, { command, interactive }: Extract<ConsoleTarget, { kind: 'exec' }>, signal?: AbortSignal): Promise<Console> {
    const { Id } = await this.#engine.json<{ Id: string }>({
      method: 'POST',
      path: `/containers/${workloadName(uuid)}/exec`,
      json: { Cmd: command, AttachStdin: interactive, AttachStdout: true, AttachStderr: true, Tty: interactive, DetachKeys: detachKeys },
      signal,
    });
    const path = `/exec/${Id}`;
    const json = { Detach: false, Tty: interactive };
    const isPodman = (await this.#engine.kind(signal)) === 'podman';
    const socket = await this.#engine.hijack({ method: 'POST', path: `${path}/start`, json, signal });
    return engineConsole((listener) => new AttachedStream(socket, !interactive, listener), {
      hasStdin: interactive,
      window: interactive && isPodman ? new UnansweredWindow(terminalWindow) : null,
      reworded: rewordedRefusals(),
      loss: () => this.#loss(),
      resize: this.#resizing(path, interactive),
      release: (stream) => stream.close(),
    });
  }

  /** The end of a connection looks the same whether the process has ended or the engine. */
  async #loss(): Promise<RuntimeFault | null> {
    try {
      await this.#engine.request({ method: 'GET', path: '/_ping', silenceMs: askSilence });
      return null;
    } catch (error) {
      return isFault(error, 'unreachable', 'timeout') ? error : null;
    }
  }

  #resizing(path: string, hasTerminal: boolean): EngineConsoleOptions['resize'] {
    return async ({ width, height }: TerminalSize, over: () => boolean) => {
      const query = { w: width, h: height };
      for (let tries = hasTerminal ? sizeTries : 0; tries > 0 && !over(); tries--) {
        try {
          await this.#engine.request({ method: 'POST', path: `${path}/resize`, query, silenceMs: askSilence });
          return;
        } catch {
          await this.#clock.sleep(sizePause);
        }
      }
    };
  }
}
