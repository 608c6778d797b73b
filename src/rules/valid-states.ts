import { invalidState } from '../errors/catalogue.ts';

/** The statuses in which each action is allowed. Origin: zun/common/utils.py, VALID_STATES. */
export const VALID_STATES = {
  add_security_group: ['Created', 'Running', 'Stopped', 'Paused'],
  attach: ['Running'],
  commit: ['Running', 'Stopped', 'Paused'],
  delete: ['Created', 'Error', 'Stopped', 'Deleted', 'Dead'],
  delete_after_stop: ['Running', 'Created', 'Error', 'Stopped', 'Deleted', 'Dead'],
  delete_force: [
    'Created',
    'Creating',
    'Error',
    'Running',
    'Stopped',
    'Unknown',
    'Deleted',
    'Dead',
    'Restarting',
    'Rebuilding',
    'Deleting',
  ],
  execute: ['Running'],
  execute_resize: ['Running'],
  get_archive: ['Created', 'Paused', 'Running', 'Stopped'],
  kill: ['Running'],
  logs: ['Created', 'Error', 'Paused', 'Running', 'Stopped', 'Unknown'],
  pause: ['Running'],
  put_archive: ['Created', 'Paused', 'Running', 'Stopped'],
  reboot: ['Created', 'Running', 'Stopped', 'Error'],
  rebuild: ['Created', 'Running', 'Stopped', 'Error'],
  remove_security_group: ['Created', 'Running', 'Stopped', 'Paused'],
  resize: ['Running'],
  resize_container: ['Created', 'Running', 'Stopped', 'Paused'],
  start: ['Created', 'Stopped', 'Error'],
  stats: ['Running'],
  stop: ['Running'],
  top: ['Running'],
  unpause: ['Paused'],
  update: ['Created', 'Running', 'Stopped', 'Paused'],
} as const satisfies Record<string, readonly string[]>;

/** An action that depends on the container's status, under the name the refusal uses. */
export type StatefulAction = keyof typeof VALID_STATES;

/**
 * Throws InvalidStateException (409) when the container's status does not allow the action.
 * Origin: zun/common/utils.py, validate_container_state.
 */
export function requireState(action: StatefulAction, container: { uuid: string; status: string | null }): void {
  const allowed: readonly (string | null)[] = VALID_STATES[action];
  if (!allowed.includes(container.status)) {
    throw invalidState(action, container.uuid, container.status ?? 'None');
  }
}
