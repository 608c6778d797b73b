import { operationNotSupported } from '../../../errors/catalogue.ts';
import type { Saga } from '../../../tasks/saga.ts';
import type { ContainerServices } from '../container-services.ts';
import { containerByUuid, updateContainer } from '../container-store.ts';
import { keepWithReason } from './keep-with-reason.ts';
import { containerOf } from './prepare-workload.ts';

export type SecurityGroupAction = 'add_security_group' | 'remove_security_group';

export interface SecurityGroupPayload {
  /** Its id. */
  securityGroup: string;
}

export const securityGroupDeadlineSeconds = 120;

/** The groups that a container has after the action. */
function groupsAfter(action: SecurityGroupAction, groups: string[] | null, group: string): string[] {
  const others = (groups ?? []).filter((each) => each !== group);
  return action === 'add_security_group' ? [...others, group] : others;
}

/** Every port of the container, then the row. A failure sets the ports back to what the row says. */
export function securityGroupSaga(services: ContainerServices, action: SecurityGroupAction): Saga<SecurityGroupPayload> {
  const { networking, clock } = services;
  const setPorts = async (uuid: string, groups: string[]) => {
    if (!networking.setSecurityGroups) throw operationNotSupported('Security groups of ports cannot be changed on this node.');
    for (const port of await networking.listPorts(uuid)) await networking.setSecurityGroups(port.id, groups);
  };
  return {
    kind: `container.${action}`,
    deadlineSeconds: securityGroupDeadlineSeconds,
    steps: [
      {
        name: 'set port groups',
        async run(context) {
          const container = await containerOf(services, context);
          await setPorts(container.uuid, groupsAfter(action, container.securityGroups, context.payload.securityGroup));
        },
        async undo(context) {
          const container = await containerOf(services, context);
          if (networking.setSecurityGroups) await setPorts(container.uuid, container.securityGroups ?? []);
        },
      },
    ],
    async succeeded(queries, { task, payload }) {
      const container = await containerByUuid(queries, task.subject);
      const securityGroups = groupsAfter(action, container?.securityGroups ?? null, payload.securityGroup);
      await updateContainer(queries, task.subject, { securityGroups, taskState: null }, clock.now());
    },
    failed: (queries, { task, payload }, reason) =>
      keepWithReason(services, queries, task.subject, `Changing security group ${payload.securityGroup} failed: ${reason}`),
  };
}
