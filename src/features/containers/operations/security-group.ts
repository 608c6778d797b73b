import type { Operation } from '../../../api/operation.ts';
import { invalidValue, operationNotSupported } from '../../../errors/catalogue.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { ContainerServices } from '../container-services.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized } from '../load-container.ts';
import { requiredText } from '../required-text.ts';
import { type SecurityGroupAction, type SecurityGroupPayload, securityGroupDeadlineSeconds } from '../sagas/security-group.ts';

/** Adds a security group to a container's ports, or takes it from them; up to 1.14. Origin: containers.py. */
export function securityGroupOperation(services: ContainerServices, action: SecurityGroupAction): Operation {
  return {
    route: `POST /v1/containers/{container_ident}/${action}`,
    async handle(request) {
      const { container } = await loadAuthorized(services, request, `container:${action}`);
      requireState(action, container);
      const name = requiredText(request.params, 'name');
      const [securityGroup = name] = await services.networking.findSecurityGroups([name], container.projectId);
      const has = container.securityGroups?.includes(securityGroup) ?? false;
      if (has && action === 'add_security_group') throw invalidValue(`Security group ${securityGroup} has been added to container.`);
      if (!has && action === 'remove_security_group') throw invalidValue(`Security group ${securityGroup} was not added to container.`);
      if (!services.networking.setSecurityGroups)
        throw operationNotSupported(
          'Security groups of ports cannot be changed on this node: its networks have one group that is always there.',
        );
      const payload: SecurityGroupPayload = { securityGroup };
      await services.database.transaction((queries) =>
        enqueueAction(services, queries, request.context, container, {
          kind: `container.${action}`,
          action,
          event: `compute__${action}`,
          payload,
          deadlineSeconds: securityGroupDeadlineSeconds,
          changes: { taskState: action === 'add_security_group' ? 'sg_adding' : 'sg_removing' },
        }),
      );
      services.taskSignal.wake();
      return { status: 202 };
    },
  };
}
