/** Where an engine answers, and what it is. */
export interface EngineTarget {
  /** A unix socket, or `null` when the engine listens on TCP. */
  socketPath: string | null;
  /** `http://host:port`; `http://localhost` for a unix socket. */
  origin: string;
  /** Both speak Docker's API; Podman needs other means for what its API lacks. */
  kind: 'docker' | 'podman';
  /** Prefix of every path: `1.41`. */
  apiVersion: string;
}

/**
 * Reads `unix:///path`, a bare absolute path, and on this machine's loopback `tcp://host:port` or `http://host:port`; throws an `Error`
 * with a sentence on anything else. To another machine the engine, which is root there, would be open to whoever can reach or hear it.
 */
export function parseEngineAddress(address: string): Pick<EngineTarget, 'socketPath' | 'origin'> {
  if (address.startsWith('/')) return { socketPath: address, origin: 'http://localhost' };
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length), origin: 'http://localhost' };
  if (/^(tcp|http):\/\/[^/]+\/?$/.test(address)) {
    const origin = address.replace(/^tcp:/, 'http:').replace(/\/$/, '');
    if (isLoopback(origin)) return { socketPath: null, origin };
    throw new Error(
      `The engine's address ${address} is plain text to another machine. Forward its socket instead: ssh -L /run/user/engine.sock:/var/run/docker.sock host.`,
    );
  }
  throw new Error(`The engine's address ${address} is neither unix:///path, tcp://host:port nor http://host:port.`);
}

function isLoopback(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

/** Newest version this adapter was written against. */
const preferredVersion = '1.41';

/** The adapter's version where the engine still has it, else the nearest the engine has. Versions are `major.minor`. */
export function chooseApiVersion(engine: { ApiVersion?: string; MinAPIVersion?: string }): string {
  const oldest = engine.MinAPIVersion ?? '1.12';
  const newest = engine.ApiVersion ?? preferredVersion;
  if (compareVersions(preferredVersion, oldest) < 0) return oldest;
  return compareVersions(preferredVersion, newest) > 0 ? newest : preferredVersion;
}

function compareVersions(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}
