import type { Clock } from '../../telemetry/clock.ts';
import type { ExecResult, LogOptions } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import type { EngineClient } from './engine-client.ts';
import { execRefusal } from './exec-refusal.ts';
import { logFrames } from './log-frames.ts';
import type { InspectedContainer } from './observation.ts';
import { transportFault } from './transport-fault.ts';
import { workloadName } from './workload-name.ts';

/** What workloads print: their logs, and commands run inside them. */
export class WorkloadOutput {
  readonly #engine: EngineClient;
  readonly #clock: Clock;

  constructor(engine: EngineClient, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  async logs(uuid: string, options: LogOptions, signal?: AbortSignal): Promise<Buffer> {
    // Docker's sentence; Podman answers with everything instead.
    if (!options.stdout && !options.stderr) throw new RuntimeFault('invalid', 'Bad parameters: you must choose at least one stream');
    const path = `/containers/${workloadName(uuid)}`;
    const { Config } = await this.#engine.json<InspectedContainer>({ method: 'GET', path: `${path}/json`, signal });
    const { body } = await this.#engine.request({
      method: 'GET',
      path: `${path}/logs`,
      query: {
        stdout: options.stdout,
        stderr: options.stderr,
        timestamps: options.timestamps,
        tail: options.tail,
        ...(options.since > 0 ? { since: options.since } : {}),
      },
      signal,
    });
    // A terminal's output has one stream and is not framed.
    return Config?.Tty ? body : Buffer.concat(logFrames(body).map((frame) => frame.payload));
  }

  async exec(uuid: string, command: string[], deadlineMs: number, signal?: AbortSignal): Promise<ExecResult> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const both = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    const { Id } = await this.#engine.json<{ Id: string }>({
      method: 'POST',
      path: `/containers/${workloadName(uuid)}/exec`,
      json: { Cmd: command, AttachStdout: true, AttachStderr: true, AttachStdin: false, Tty: false },
      signal: both,
    });
    const { body } = await this.#engine.request({
      method: 'POST',
      path: `/exec/${Id}/start`,
      json: { Detach: false, Tty: false },
      signal: both,
      silenceMs: 0,
    });
    const exitCode = await this.#exitCode(Id, both);
    const output = Buffer.concat(logFrames(body).map((frame) => frame.payload));
    return execRefusal(output, exitCode) ?? { output, exitCode };
  }

  /** The stream's end and the exit code are told apart: for a moment the engine may still say that the command runs. */
  async #exitCode(id: string, signal: AbortSignal): Promise<number> {
    for (;;) {
      const state = await this.#engine.json<{ Running?: boolean; ExitCode?: number | null }>({
        method: 'GET',
        path: `/exec/${id}/json`,
        signal,
      });
      if (!state.Running) return state.ExitCode ?? 0;
      await this.#clock.sleep(20, signal);
      if (signal.aborted) throw transportFault(signal.reason, signal);
    }
  }
}
