import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import type { Inventory } from '../../src/scheduling/inventory.ts';
import type { Probe, ProbeSeed } from './record.ts';
import { recordedIdentity } from './recorded-identity.ts';
import { seedNetworking } from './recorded-networking.ts';
import { recordedImages, recordedRuntime } from './recorded-node.ts';
import { seedVolumes } from './recorded-volumes.ts';
import { partialPort, type World } from './world.ts';

/** The world of a probe: that of the seed, its node answering as recorded or failing as the scenario says. */
export function probeWorld(seed: ProbeSeed, probe: Probe): World {
  const ask = (method: string): unknown => {
    if (probe.scenario?.rpc) throw nodeFailure(probe.scenario.rpc);
    const call = probe.calls.find((candidate) => candidate.kind === 'call' && candidate.method === method);
    return call ? call.returns : defaultAnswers[method];
  };
  return {
    identity: recordedIdentity((token) => seed.identities[token] ?? null),
    runtime: recordedRuntime(ask),
    images: recordedImages(ask),
    networking: seedNetworking(seed.neutron, ask),
    volumes: seedVolumes(seed.cinder),
    inventory: oneHost(seed, probe.scenario?.sched),
  };
}

/** The scheduler of the probes always chose `compute-1`, found no host, or crashed. */
function oneHost(seed: ProbeSeed, scenario: string | undefined): Inventory {
  return partialPort<Inventory>('inventory', {
    candidates: async (resources) => {
      if (scenario === 'crash') throw new Error('the scheduler crashed');
      if (scenario === 'nohost') return [];
      const node = seed.rows.compute_node?.find(({ hostname }) => hostname === (resources.host ?? 'compute-1'));
      return node ? [{ resourceProviderUuid: String(node.rp_uuid), resources }] : [];
    },
    claim: async () => true,
    resize: async () => true,
    release: async () => {},
  });
}

function nodeFailure(scenario: string): Error {
  switch (scenario) {
    case 'conflict':
      return new RuntimeFault('conflict', 'the node says no');
    case 'timeout':
      return new RuntimeFault('timeout', 'no answer');
    case 'docker_error':
      return new RuntimeFault('failed', 'the engine failed');
    default:
      return new Error(`scenario ${scenario}`);
  }
}

/** What the fakes of the probes answered, for calls that the original did not make where this service does. */
const defaultAnswers: Record<string, unknown> = {
  container_logs: 'line1\nline2\n',
  container_top: { Titles: ['UID', 'PID', 'CMD'], Processes: [['root', '1', 'nginx']] },
  container_exec: { output: 'hello\n', exit_code: 0 },
  image_search: [],
};
