import type { Queries } from '../../../db/database.ts';
import { isFault } from '../../../runtime/runtime-fault.ts';
import type { Saga } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { networkInterface } from '../network-interfaces.ts';
import { keepWithReason } from './keep-with-reason.ts';
import { networkDeadlineSeconds } from './network-attach.ts';
import { containerOf } from './prepare-workload.ts';

export interface NetworkDetachPayload {
  networkId: string;
}

/**
 * Interface, ports, row; what is gone already counts as done. A port that the user brought is freed, others go. A failure puts the
 * interface back as long as its port is there.
 */
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
        // The container is on the network again, or the row says that it is not: a port that is gone does not come back.
        async undo({ task, payload, signal, write }) {
          const ports = await networking.listPorts(task.subject);
          const port = ports.find(({ networkId }) => networkId === payload.networkId);
          if (!port) return write((queries) => forgetNetwork(services, queries, task.subject, payload.networkId));
          await runtime.connectNetwork(task.subject, await networkInterface(networking, port), signal).catch((error) => {
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
      await forgetNetwork(services, queries, task.subject, payload.networkId);
      await updateContainer(queries, task.subject, { taskState: null }, clock.now());
    },
    failed: (queries, { task, payload }, reason) =>
      keepWithReason(services, queries, task.subject, `Detaching network ${payload.networkId} failed: ${reason}`),
  };
}

async function forgetNetwork(services: ContainerServices, queries: Queries, uuid: string, networkId: string): Promise<void> {
  const container = await containerByUuid(queries, uuid);
  const { [networkId]: _gone, ...addresses } = container?.addresses ?? {};
  await updateContainer(queries, uuid, { addresses }, services.clock.now());
}
