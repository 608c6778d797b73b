import type { SettingRow } from '../setting-row.ts';
import { positive } from './rules.ts';

/** How tasks are done, and for how long anything is waited for. */
export const workRows: readonly SettingRow[] = [
  {
    key: 'worker.concurrency',
    fields: ['worker.concurrency'],
    rule: positive,
    says: 'Tasks that one process works on at once.',
  },
  {
    key: 'worker.pollMilliseconds',
    fields: ['worker.pollMilliseconds'],
    rule: positive,
    says: 'Between two looks at the queue while nothing is announced, and at whether what runs was cancelled.',
  },
  {
    key: 'worker.leaseSeconds',
    fields: ['worker.leaseSeconds'],
    rule: positive,
    says: 'So long a worker that died keeps its tasks from others; it is renewed every third of it. The same for all programs.',
  },
  {
    key: 'deadlines.runtimeSeconds',
    fields: ['deadlines.runtimeSeconds'],
    rule: positive,
    says: 'Longest wait for one call to the container engine, beside the grace period of a stop; pulls and commits take what they need.',
    replaces: ['docker/default_timeout'],
  },
  {
    key: 'deadlines.networkSeconds',
    fields: ['deadlines.networkSeconds'],
    rule: positive,
    says: 'Longest wait for one call to the network service.',
  },
  {
    key: 'deadlines.volumeSeconds',
    fields: ['deadlines.volumeSeconds'],
    rule: positive,
    says: 'Longest wait for one call to the volume service, until a new volume can be used.',
    replaces: ['volume/timeout_wait_volume_available'],
  },
  {
    key: 'sync.listIntervalMilliseconds',
    fields: ['sync.listIntervalMilliseconds'],
    rule: positive,
    says: "Between two comparisons of all rows with the engine, beside the engine's events.",
    usually: '60000, with Kubernetes 600000',
    replaces: ['DEFAULT/sync_container_state_interval'],
    // The original takes 0 for its usual interval.
    words: { 0: '60' },
    times: 1000,
  },
];
