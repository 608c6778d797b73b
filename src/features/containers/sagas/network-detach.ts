import { isFault } from '../../../runtime/runtime-fault.ts';
import type { Saga } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { keepWithReason } from './keep-with-reason.ts';
import { networkDeadlineSeconds } from './network-attach.ts';
import { containerOf } from './prepare-workload.ts';

export interface NetworkDetachPayload {
  networkId: string;
}

/** Interface, ports, row; what is gone already counts as done. A port that the user brought is freed, others go. */
export function networkDetachSaga(services: ContainerServices): Saga<NetworkDetachPayload> {
  const { networking, runtime, clock } = services;
  return {
    kind: 'container.network_detach',
    deadlineSeconds: networkDeadlineSeconds,
    steps: [
      {
        name: 'disconnect',
        async run({ task, payload, signal, write }) {
          await write((queries) => updateContainer(queries, task.subject, { taskState: 'network_detaching' }, clock.now()));
          const engineNetwork = await networking.engineNetwork(payload.networkId);
          await runtime.disconnectNetwork(task.subject, engineNetwork, signal).catch((error) => {
            if (!isFault(error, 'not-found')) throw error;
          });
        },
      },
      {
        name: 'release ports',
        async run(context) {
          const container = await containerOf(services, context);
          for (const { port, preserve_on_delete: isUsers } of container.addresses?.[context.payload.networkId] ?? []) {
            if (isUsers) await networking.unbindPort(port);
            else await networking.deletePort(port);
          }
        },
      },
    ],
    async succeeded(queries, { task, payload }) {
      const container = await containerByUuid(queries, task.subject);
      const { [payload.networkId]: _gone, ...addresses } = container?.addresses ?? {};
      await updateContainer(queries, task.subject, { addresses, taskState: null }, clock.now());
    },
    failed: (queries, { task, payload }, reason) =>
      keepWithReason(services, queries, task.subject, `Detaching network ${payload.networkId} failed: ${reason}`),
  };
}
