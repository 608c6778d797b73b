import type { WorkloadState } from './container-runtime.ts';

/** The state of what was made and not started. */
export const createdState: Readonly<WorkloadState> = {
  status: 'created',
  exitCode: 0,
  error: '',
  oomKilled: false,
  startedAt: null,
  finishedAt: null,
  health: null,
};
