import { EngineClient } from '../../runtime/docker/engine-client.ts';
import { chooseApiVersion, type EngineTarget, parseEngineAddress } from '../../runtime/docker/engine-target.ts';
import { RuntimeFault } from '../../runtime/runtime-fault.ts';

interface EngineVersion {
  ApiVersion?: string;
  MinAPIVersion?: string;
  Components?: { Name?: string }[] | null;
}

const probeMs = 5_000;

/** Asks what answers at an address. Throws a `RuntimeFault` when nothing does, an `Error` when the address is none. */
export async function probeEngine(address: string): Promise<EngineTarget> {
  const place = parseEngineAddress(address);
  const client = new EngineClient({ ...place, kind: 'docker', apiVersion: '1.41' });
  try {
    const signal = AbortSignal.timeout(probeMs);
    const version = await client.json<EngineVersion>({ method: 'GET', path: '/version', signal }).catch((error) => minimumVersion(error));
    const isPodman = (version.Components ?? []).some(({ Name }) => /podman/i.test(Name ?? ''));
    return { ...place, kind: isPodman ? 'podman' : 'docker', apiVersion: chooseApiVersion(version) };
  } finally {
    await client.close();
  }
}

/** Docker 29 refuses 1.41 and names the version it wants: "… Minimum supported API version is 1.44, …". */
function minimumVersion(error: unknown): EngineVersion {
  const [, minimum] = /Minimum supported API version is (\d+\.\d+)/i.exec(error instanceof RuntimeFault ? error.message : '') ?? [];
  if (minimum === undefined) throw error;
  return { ApiVersion: minimum, MinAPIVersion: minimum };
}
