import { readFileSync } from 'node:fs';

export type ModelStatus = 'Created' | 'Running' | 'Stopped' | 'Paused' | 'Error';

export interface ModelContainer {
  uuid: string;
  status: ModelStatus;
  name: string;
  /** Its image cannot be pulled, so it never has a workload. */
  isHopeless: boolean;
}

/** What a user believes of his containers: which exist, and what each is doing once nobody is at work on it. */
export interface ZunModel {
  containers: ModelContainer[];
}

export type ModelAction =
  | 'start'
  | 'stop'
  | 'kill'
  | 'pause'
  | 'unpause'
  | 'reboot'
  | 'rebuild'
  | 'delete'
  | 'delete_after_stop'
  | 'delete_force'
  | 'update'
  | 'execute'
  | 'logs'
  | 'top';

const vectors = new URL('../../contract/vectors/valid_states.json', import.meta.url);
const { table } = JSON.parse(readFileSync(vectors, 'utf8')) as { table: Record<ModelAction, string[]> };

/** Whether the original's table lets a container in this status do it. */
export const isAllowed = (action: ModelAction, status: ModelStatus): boolean => table[action].includes(status);

/** What a container is after an action that its status allows; `null` = it is gone. */
export function after(action: ModelAction, { status, isHopeless }: ModelContainer): ModelStatus | null {
  if (action.startsWith('delete')) return null;
  if (isHopeless) return 'Error';
  switch (action) {
    case 'start':
    case 'unpause':
    case 'reboot':
      return 'Running';
    case 'stop':
    case 'kill':
      return 'Stopped';
    case 'pause':
      return 'Paused';
    case 'rebuild':
      return status === 'Running' ? 'Running' : 'Created';
    default:
      return status;
  }
}
