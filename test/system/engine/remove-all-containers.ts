import type { EngineClient } from '../../../src/runtime/docker/engine-client.ts';

/** Removes every container and every network of its own kind that the engine has. */
export async function removeAllContainers(engine: EngineClient): Promise<void> {
  const containers = await engine.json<{ Id: string }[]>({ method: 'GET', path: '/containers/json', query: { all: true } });
  for (const { Id } of containers) {
    await engine.request({ method: 'DELETE', path: `/containers/${Id}`, query: { force: true, v: true } }).catch(() => {});
  }
  const networks = await engine.json<{ Name: string }[]>({ method: 'GET', path: '/networks' });
  for (const { Name } of networks.filter(({ Name }) => !['none', 'host', 'bridge', 'podman'].includes(Name))) {
    await engine.request({ method: 'DELETE', path: `/networks/${Name}` }).catch(() => {});
  }
}
