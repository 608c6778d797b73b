import type { Difference } from './match-json.ts';

/** Which status may be seen after which, looks in between being missed; 404 = the row is gone. */
const followers: Record<string, string[]> = {
  Creating: ['Created', 'Running', 'Stopped', 'Restarting', 'Error', 'Deleting', 'Deleted', 'Dead', '404'],
  Created: ['Running', 'Stopped', 'Restarting', 'Error', 'Rebuilding', 'Deleting', 'Deleted', '404'],
  Running: ['Stopped', 'Paused', 'Restarting', 'Rebuilding', 'Error', 'Dead', 'Deleted', 'Deleting', '404'],
  Stopped: ['Created', 'Running', 'Restarting', 'Rebuilding', 'Deleting', 'Deleted', 'Error', '404'],
  Paused: ['Running', 'Stopped', 'Error', 'Deleting', '404'],
  Restarting: ['Running', 'Stopped', 'Error', 'Deleting', '404'],
  Rebuilding: ['Created', 'Running', 'Stopped', 'Error', '404'],
  Error: ['Rebuilding', 'Created', 'Running', 'Deleting', '404'],
  Dead: ['Deleted', 'Deleting', '404'],
  Deleted: ['Deleting', '404'],
  Deleting: ['Error', 'Deleted', '404'],
};

/** States that a client can't explain by what it saw before. Others than those of containers and capsules are not looked at. */
export function unlikelyStates(seen: string[]): Difference[] {
  return seen.flatMap((state, index) => {
    const next = seen[index + 1];
    const allowed = followers[state];
    return next === undefined || allowed === undefined || allowed.includes(next)
      ? []
      : [{ place: 'path', expected: `${state}, then one of ${allowed.join(', ')}`, actual: seen }];
  });
}
