import { conflict } from '../../../errors/catalogue.ts';
import { isFault } from '../../../runtime/runtime-fault.ts';
import type { Saga } from '../../../tasks/saga.ts';
import type { Container } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { addressesOf, networkInterface, portKey } from '../network-interfaces.ts';
import type { RequestedNetwork } from '../requested-network.ts';
import { keepWithReason } from './keep-with-reason.ts';
import { containerOf } from './prepare-workload.ts';

export interface NetworkAttachPayload {
  network: RequestedNetwork;
}

export const networkDeadlineSeconds = 300;

/** Port, interface, row. A failure frees the port, and the container stays what it was. */
export function networkAttachSaga(services: ContainerServices): Saga<NetworkAttachPayload> {
  const { networking, runtime, clock } = services;
  return {
    kind: 'container.network_attach',
    deadlineSeconds: networkDeadlineSeconds,
    steps: [
      {
        name: 'prepare port',
        async run(context) {
          const { network } = context.payload;
          const container = await containerOf(services, context);
          await context.write((queries) => updateContainer(queries, container.uuid, { taskState: 'network_attaching' }, clock.now()));
          if (Object.hasOwn(container.addresses ?? {}, network.networkId)) {
            throw conflict(`Container ${container.uuid} has already connected to the network ${network.networkId}.`);
          }
          // Two tasks have two keys, which their numbers would not be: SQLite gives them again. The same task finds its port.
          const key = portKey(context.task.uuid, 'attached');
          const port = network.portId
            ? await networking.findPort(network.portId, container.projectId)
            : await networking.createPort({
                key,
                networkId: network.networkId,
                containerUuid: container.uuid,
                projectId: container.projectId,
                fixedIpv4: network.fixedIpv4,
                fixedIpv6: network.fixedIpv6,
                securityGroups: container.securityGroups ?? [],
              });
          context.data.port = port.id;
          await networking.bindPort(port.id, { containerUuid: container.uuid, host: container.host ?? '' });
        },
        async undo(context) {
          const { networkId, portId } = context.payload.network;
          const container = await containerByUuid(services.database.queries, context.task.subject);
          if (Object.hasOwn(container?.addresses ?? {}, networkId)) return;
          // By what is there: the answer that named the port may have been lost, and the user's may be another's by now.
          for (const port of await networking.listPorts(context.task.subject)) {
            if (port.networkId !== networkId) continue;
            if (port.id === portId) await networking.unbindPort(port.id);
            else await networking.deletePort(port.id);
          }
        },
      },
      {
        name: 'connect',
        async run(context) {
          const port = await portOf(services, context);
          await runtime.connectNetwork(context.task.subject, await networkInterface(networking, port), context.signal);
          const { preserveOnDelete } = context.payload.network;
          context.data.addresses = await addressesOf(networking, [{ port, preserveOnDelete }]);
        },
        async undo({ task, payload, signal }) {
          const engineNetwork = await networking.engineNetwork(payload.network.networkId);
          await runtime.disconnectNetwork(task.subject, engineNetwork, signal).catch((error) => {
            if (!isFault(error, 'not-found', 'conflict')) throw error;
          });
        },
      },
    ],
    async succeeded(queries, { task, data }) {
      const container = await containerByUuid(queries, task.subject);
      const addresses = { ...container?.addresses, ...(data.addresses as Container['addresses']) };
      await updateContainer(queries, task.subject, { addresses, taskState: null }, clock.now());
    },
    failed: (queries, { task, payload }, reason) =>
      keepWithReason(services, queries, task.subject, `Attaching network ${payload.network.networkId} failed: ${reason}`),
  };
}

async function portOf({ networking }: ContainerServices, { task, data }: { task: { subject: string }; data: Record<string, unknown> }) {
  const ports = await networking.listPorts(task.subject);
  const port = ports.find(({ id }) => id === data.port);
  if (!port) throw conflict(`Port ${data.port} was taken away while it was being attached.`);
  return port;
}
