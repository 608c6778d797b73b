import { isFault } from '../../../runtime/runtime-fault.ts';
import type { Saga } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { commitSaga } from './commit.ts';
import { createSaga } from './create.ts';
import { deleteSaga } from './delete.ts';
import { lifecycleSaga } from './lifecycle.ts';
import { networkAttachSaga } from './network-attach.ts';
import { networkDetachSaga } from './network-detach.ts';
import { rebuildSaga } from './rebuild.ts';
import { resizeSaga } from './resize.ts';
import { securityGroupSaga } from './security-group.ts';

/** Seconds from request to giving up for a call to the runtime: the call's own minute, once more for a retry. */
export const lifecycleDeadlineSeconds = 120;

/** Every task of the containers feature, by kind. */
export function containerSagas(services: ContainerServices): Saga<never>[] {
  const deadlineSeconds = lifecycleDeadlineSeconds;
  return [
    createSaga(services),
    deleteSaga(services),
    rebuildSaga(services),
    commitSaga(services),
    networkAttachSaga(services),
    networkDetachSaga(services),
    resizeSaga(services),
    securityGroupSaga(services, 'add_security_group'),
    securityGroupSaga(services, 'remove_security_group'),
    lifecycleSaga<object>(services, {
      kind: 'container.start',
      deadlineSeconds,
      starts: true,
      perform: (runtime, uuid, _payload, signal, since) => runtime.start(uuid, signal, since),
      afterwards: (now) => ({ startedAt: now }),
    }),
    lifecycleSaga<{ graceSeconds: number }>(services, {
      kind: 'container.stop',
      deadlineSeconds,
      perform: (runtime, uuid, { graceSeconds }, signal) => runtime.stop(uuid, graceSeconds, signal),
    }),
    lifecycleSaga<{ graceSeconds: number }>(services, {
      kind: 'container.reboot',
      deadlineSeconds,
      starts: true,
      perform: (runtime, uuid, { graceSeconds }, signal) => runtime.restart(uuid, graceSeconds, signal),
      afterwards: (now) => ({ startedAt: now }),
    }),
    lifecycleSaga<object>(services, {
      kind: 'container.pause',
      deadlineSeconds,
      perform: async (runtime, uuid, _payload, signal) => {
        await runtime.pause(uuid, signal).catch(async (error) => {
          // A repeated task finds the container paused already.
          if (!(isFault(error, 'conflict') && (await runtime.inspect(uuid, signal))?.state.status === 'paused')) throw error;
        });
      },
    }),
    lifecycleSaga<object>(services, {
      kind: 'container.unpause',
      deadlineSeconds,
      perform: async (runtime, uuid, _payload, signal) => {
        await runtime.unpause(uuid, signal).catch(async (error) => {
          if (!(isFault(error, 'conflict') && (await runtime.inspect(uuid, signal))?.state.status === 'running')) throw error;
        });
      },
    }),
    lifecycleSaga<{ signalName: string }>(services, {
      kind: 'container.kill',
      deadlineSeconds,
      perform: async (runtime, uuid, { signalName }, signal) => {
        await runtime.kill(uuid, signalName, signal).catch(async (error) => {
          // A repeated task finds the container killed already.
          if (!isFault(error, 'conflict') || (await runtime.inspect(uuid, signal))?.state.status !== 'exited') throw error;
        });
      },
    }),
  ] as Saga<never>[];
}
