import type { Operation } from '../../../api/operation.ts';
import type { ContainerServices } from '../container-services.ts';
import { securityGroupOperation } from './security-group.ts';

/** Takes a security group from a container's ports. */
export const removeSecurityGroup = (services: ContainerServices): Operation => securityGroupOperation(services, 'remove_security_group');
