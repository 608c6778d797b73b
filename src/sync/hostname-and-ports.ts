/** The part of Docker's `Config` that tells a container's hostname and ports. */
export interface DockerConfig {
  Hostname?: string;
  ExposedPorts?: Record<string, unknown> | null;
}

/**
 * The hostname the user asked for, or else the engine's; the numbers of the exposed ports in the engine's order, protocols dropped.
 * Throws for a port that is no number, which no engine sends.
 * Origin: zun/container/docker/driver.py, _populate_hostname_and_ports.
 */
export function hostnameAndPorts(hostname: string | null, config: DockerConfig): { hostname: string | null; ports: number[] } {
  return { hostname: hostname ?? config.Hostname ?? null, ports: Object.keys(config.ExposedPorts ?? {}).map(portNumber) };
}

function portNumber(exposed: string): number {
  const [port = ''] = exposed.split('/');
  if (!/^\d+$/.test(port)) throw new RangeError(`the engine exposes ${exposed}, which has no port number`);
  return Number(port);
}
