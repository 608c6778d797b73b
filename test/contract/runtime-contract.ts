import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { archiveTests } from './runtime/archives.ts';
import { attachmentTests } from './runtime/attachments.ts';
import { capsuleTests } from './runtime/capsules.ts';
import { commitTests } from './runtime/commits.ts';
import { consoleTests } from './runtime/consoles.ts';
import { endingTests } from './runtime/endings.ts';
import { eventTests } from './runtime/events.ts';
import { execTests } from './runtime/exec.ts';
import { healthTests } from './runtime/health.ts';
import { holdingTests } from './runtime/holding.ts';
import { imageTests } from './runtime/images.ts';
import { joinedNamespaceTests } from './runtime/joined-namespaces.ts';
import { lifecycleTests } from './runtime/lifecycle.ts';
import { logTests } from './runtime/logs.ts';
import { networkTests } from './runtime/networks.ts';
import { optionTests } from './runtime/options.ts';
import { processTests } from './runtime/processes.ts';
import { refusalTests } from './runtime/refusals.ts';
import type { FixtureSource, RuntimeFixture } from './runtime/runtime-fixture.ts';
import { signalTests } from './runtime/signals.ts';
import { startBringsImageTests } from './runtime/start-brings-image.ts';

const groups: Record<string, (fixture: FixtureSource) => void> = {
  lifecycle: lifecycleTests,
  signals: signalTests,
  exec: execTests,
  consoles: consoleTests,
  attachments: attachmentTests,
  logs: logTests,
  'processes and limits': processTests,
  archives: archiveTests,
  images: imageTests,
  events: eventTests,
  endings: endingTests,
  options: optionTests,
  health: healthTests,
  networks: networkTests,
};

/** What needs more of a node than some runtimes have; those refuse it. */
const ofOffer: Record<'all' | 'not pause and commit', typeof groups> = {
  all: { 'pause and unpause': holdingTests, commits: commitTests },
  'not pause and commit': { refusals: refusalTests },
};

/** How a runtime holds capsules: each container joins a sandbox, or all are one object, whose start also brings the images. */
export type CapsuleKind = 'joined' | 'as one';

const ofKind: Record<CapsuleKind, typeof groups> = {
  joined: { capsules: joinedNamespaceTests },
  'as one': { capsules: capsuleTests, 'start with images': startBringsImageTests },
};

export interface ContractOptions {
  /** `joined` unless said. */
  capsules?: CapsuleKind;
  /** `all` unless said. */
  offers?: keyof typeof ofOffer;
  /** Groups of tests at a time: more than one where a workload takes longer to wait for than to run. */
  concurrency?: number;
}

/** Registers the tests that every `ContainerRuntime` with its `ImageStore` passes. One fixture serves them all. */
export function runtimeContract(name: string, makeFixture: () => Promise<RuntimeFixture>, options: ContractOptions = {}): void {
  const { capsules: kind = 'joined', offers = 'all', concurrency = 1 } = options;
  describe(`${name} runtime`, { concurrency }, () => {
    let made: RuntimeFixture | undefined;
    const fixture: FixtureSource = () => {
      if (!made) throw new Error('the fixture was not made');
      return made;
    };
    before(async () => {
      made = await makeFixture();
      const { capsules, pullsAtStart } = made.runtime;
      assert.deepEqual([capsules !== undefined, pullsAtStart], [kind === 'as one', kind === 'as one'], `holds capsules ${kind}`);
    });
    after(() => made?.cleanup());
    for (const [group, register] of Object.entries({ ...groups, ...ofOffer[offers], ...ofKind[kind] }))
      describe(group, () => register(fixture));
  });
}
