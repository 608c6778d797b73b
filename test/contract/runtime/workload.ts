import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { LogOptions, WorkloadObservation, WorkloadSpec, WorkloadState } from '../../../src/runtime/container-runtime.ts';
import { plainWorkload } from '../../../src/runtime/plain-workload.ts';
import { isFault, type RuntimeFaultKind } from '../../../src/runtime/runtime-fault.ts';
import { eventually } from './eventually.ts';
import type { RuntimeFixture } from './runtime-fixture.ts';
import { stubborn } from './scripts.ts';

/** What the runtime is asked of one UUID: the few questions that every test has. */
export interface Observed {
  uuid: string;
  inspect(): Promise<WorkloadObservation>;
  state(): Promise<WorkloadState>;
  until(status: WorkloadState['status']): Promise<WorkloadState>;
  logs(options?: Partial<LogOptions>): Promise<string>;
  untilLogged(text: string): Promise<string>;
}

/** One workload under test. */
export interface Workload extends Observed {
  spec: WorkloadSpec;
}

/** Creates a workload with its own UUID, runs the test on it, and removes it whatever happens. */
export async function withCreated(
  fixture: RuntimeFixture,
  wishes: Partial<WorkloadSpec>,
  test: (workload: Workload) => Promise<void>,
): Promise<void> {
  const spec = specOf(fixture, wishes);
  const workload = { spec, ...observed(fixture, spec.uuid) };
  try {
    await fixture.runtime.create(workload.spec);
    await test(workload);
  } finally {
    await fixture.runtime.remove(workload.uuid);
  }
}

export async function withStarted(
  fixture: RuntimeFixture,
  wishes: Partial<WorkloadSpec>,
  test: (workload: Workload) => Promise<void>,
): Promise<void> {
  await withCreated(fixture, wishes, async (workload) => {
    await fixture.runtime.start(workload.uuid);
    await test(workload);
  });
}

export function specOf(fixture: Pick<RuntimeFixture, 'image'>, wishes: Partial<WorkloadSpec> = {}): WorkloadSpec {
  return plainWorkload({ uuid: randomUUID(), image: fixture.image, command: stubborn, ...wishes });
}

export function observed({ runtime }: Pick<RuntimeFixture, 'runtime'>, uuid: string): Observed {
  const inspect = async () => {
    const seen = await runtime.inspect(uuid);
    assert.ok(seen, `the engine holds ${uuid}`);
    return seen;
  };
  const state = async () => (await inspect()).state;
  const logs = async (options: Partial<LogOptions> = {}) => {
    const all: LogOptions = { stdout: true, stderr: true, timestamps: false, tail: 'all', since: 0 };
    return (await runtime.logs(uuid, { ...all, ...options })).toString('utf8');
  };
  return {
    uuid,
    inspect,
    state,
    logs,
    until: (status) => eventually(`status ${status}`, state, (now) => now.status === status),
    untilLogged: (text) => eventually(`log with ${text}`, logs, (log) => log.includes(text)),
  };
}

/** The call is refused with a fault of one of these kinds, with words in it. */
export async function refused(call: Promise<unknown>, ...kinds: RuntimeFaultKind[]): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(isFault(error, ...kinds), `expected a fault ${kinds.join(' or ')}, got ${describe(error)}`);
    assert.notEqual(error.message, '');
    return true;
  });
}

function describe(error: unknown): string {
  return isFault(error) ? `${error.kind}: ${error.message}` : String(error);
}
