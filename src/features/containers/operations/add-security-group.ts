import type { Operation } from '../../../api/operation.ts';
import type { ContainerServices } from '../container-services.ts';
import { securityGroupOperation } from './security-group.ts';

/** Puts a security group on a container's ports. */
export const addSecurityGroup = (services: ContainerServices): Operation => securityGroupOperation(services, 'add_security_group');
