import type { V1PodSecurityContext, V1SecurityContext } from '@kubernetes/client-node';

/**
 * What a container may do: as much as under Docker, so that images that work there work here. That is the runtime's default set of
 * capabilities (containerd's is Docker's), setuid programs and any user, behind the runtime's seccomp profile. A privileged one is
 * privileged, and nothing else is. Fits Pod Security's `baseline`. Pure.
 */
export function containerSecurity(privileged: boolean): V1SecurityContext {
  return privileged ? { privileged: true } : { privileged: false, seccompProfile: { type: 'RuntimeDefault' } };
}

/** Docker lets any user listen below port 1024, in the container's own network. */
export const podSecurity: V1PodSecurityContext = { sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }] };
