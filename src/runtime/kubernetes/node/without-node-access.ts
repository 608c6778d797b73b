import { RuntimeFault } from '../../runtime-fault.ts';

/** For what Kubernetes has no call for. */
export const withoutNodeAccess = (operation: string): RuntimeFault =>
  new RuntimeFault(
    'unsupported',
    `This cluster's node agents have no access to containerd, which ${operation} needs: the operator can give it to them (kubernetes.nodeAccess).`,
  );
