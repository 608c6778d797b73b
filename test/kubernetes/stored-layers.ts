import type { Cluster } from '../cluster/cluster.ts';

/** Looks into what containerd stores of images, by its own tool. */
export class StoredLayers {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Digests of an image's layers, the lowest first. */
  async layersOf(image: string): Promise<string[]> {
    const line = (await this.#ctr('images', 'list', `name==${image}`)).split('\n')[1] ?? '';
    const [, , digest = ''] = line.split(/\s+/);
    const { layers } = JSON.parse(await this.#ctr('content', 'get', digest)) as { layers: { digest: string }[] };
    return layers.map((layer) => layer.digest);
  }

  /** Names of a layer's members, as tar prints them: folders end in a slash. */
  async membersOf(digest: string): Promise<string[]> {
    const { stdout } = await this.#cluster.exec(['sh', '-c', `ctr -n k8s.io content get ${digest} | tar t`]);
    return stdout.trim().split('\n');
  }

  /** As containerd does of itself, set to discard layers once they are unpacked. */
  async throwAway(digest: string): Promise<void> {
    await this.#ctr('content', 'rm', digest);
  }

  async #ctr(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.#cluster.exec(['ctr', '--namespace', 'k8s.io', ...args]);
    if (exitCode !== 0) throw new Error(`ctr ${args.join(' ')}: ${stderr}`);
    return stdout;
  }
}
