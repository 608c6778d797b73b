import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { KubePod, KubeSecret } from '../../src/runtime/kubernetes/kube-object.ts';
import type { Asked } from './fake-api-server.ts';

export type FakeThing = KubePod & KubeSecret;

interface Change {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  version: number;
  collection: string;
  object: FakeThing;
}

interface Watch {
  collection: string;
  name: string | null;
  response: ServerResponse;
}

/**
 * As much of an API server as workloads are made with: objects of any kind that are made, patched, listed, watched and deleted, and a kubelet that
 * runs each Pod at once and ends it when it is told to. The real one tells whether this is right; this one tells what is asked.
 */
export class FakeCluster {
  /** By path: `/api/v1/namespaces/n/pods/p`. */
  readonly objects = new Map<string, FakeThing>();
  /** False: Pods stay as they are made, and go only when they are made to at once. */
  kubeletWorks = true;
  /** What the network plugins of the node write on a Pod that it is about to run. */
  annotationsOnNode: (pod: FakeThing) => Record<string, string> = () => ({});
  /** Told of every object that was made or changed, after who changed it has been answered. */
  kept: (path: string, object: FakeThing) => void = () => {};
  readonly #changes: Change[] = [];
  readonly #watches = new Set<Watch>();
  #version = 100;

  readonly answer = (asked: Asked): void => {
    const named =
      /^(.*\/(?:namespaces|networkpolicies|rolebindings|secrets|pods|network-attachment-definitions|events))(?:\/([^/]+))?$/.exec(
        asked.path,
      );
    const [, collection = '', name] = named ?? [];
    if (!named) asked.refuse(404, 'NotFound', asked.path);
    else if (name === undefined) this.#ofCollection(asked, collection);
    else this.#ofObject(asked, collection, asked.path);
  };

  #ofCollection(asked: Asked, collection: string): void {
    if (asked.method === 'POST') this.#make(asked, collection);
    else if (asked.method === 'DELETE') {
      for (const { metadata } of this.#selected(asked, collection)) this.#remove(collection, `${collection}/${metadata?.name}`);
      asked.json(200, { kind: 'Status', status: 'Success' });
    } else if (asked.query.get('watch') === 'true') this.#watch(asked, collection);
    else asked.json(200, { metadata: { resourceVersion: String(this.#version) }, items: this.#selected(asked, collection) });
  }

  #ofObject(asked: Asked, collection: string, path: string): void {
    const object = this.objects.get(path);
    if (!object) asked.refuse(404, 'NotFound', path);
    else if (asked.method === 'GET') asked.json(200, object);
    else if (asked.method === 'PATCH') {
      const patch = JSON.parse(asked.body) as { metadata?: { resourceVersion?: string } };
      const version = patch.metadata?.resourceVersion;
      if (version !== undefined && version !== object.metadata?.resourceVersion) asked.refuse(409, 'Conflict', path);
      else asked.json(200, this.#patch(collection, path, patch));
    } else {
      const { gracePeriodSeconds = 0, preconditions } = JSON.parse(asked.body || '{}');
      if (preconditions && preconditions.resourceVersion !== object.metadata?.resourceVersion) asked.refuse(409, 'Conflict', path);
      else asked.json(200, this.#delete(collection, path, object, gracePeriodSeconds));
    }
  }

  #make(asked: Asked, collection: string): void {
    const object = JSON.parse(asked.body) as FakeThing;
    const path = `${collection}/${object.metadata?.name}`;
    if (this.objects.has(path)) {
      asked.refuse(409, 'AlreadyExists', path);
      return;
    }
    const namespace = /\/namespaces\/([^/]+)\//.exec(`${path}/`)?.[1];
    const made = { ...object, metadata: { ...object.metadata, uid: randomUUID(), ...(namespace === undefined ? {} : { namespace }) } };
    asked.json(201, this.#keep('ADDED', collection, path, made));
    if (collection.endsWith('/pods') && this.kubeletWorks) setImmediate(() => this.#run(collection, path));
  }

  /** The kubelet takes the Pod and runs it. */
  #run(collection: string, path: string): void {
    const pod = this.objects.get(path);
    if (!pod) return;
    const annotations = this.annotationsOnNode(pod);
    const startedAt = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const containerStatuses = (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      ready: true,
      restartCount: 0,
      containerID: `containerd://${randomUUID()}`,
      state: { running: { startedAt } },
    }));
    const status = { phase: 'Running', podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }], startTime: startedAt, containerStatuses };
    this.#patch(collection, path, { metadata: { annotations }, spec: { nodeName: 'node-1' }, status });
  }

  #patch(collection: string, path: string, patch: object): FakeThing {
    const before = this.objects.get(path);
    const after = this.#keep('MODIFIED', collection, path, merged(before, patch) as FakeThing);
    if (this.kubeletWorks && after.status?.phase === 'Running' && after.spec?.activeDeadlineSeconds !== undefined)
      setImmediate(() => this.#end(collection, path, after));
    return after;
  }

  #end(collection: string, path: string, pod: FakeThing): void {
    const finishedAt = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const containerStatuses = pod.status?.containerStatuses?.map((status) => ({
      ...status,
      state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: status.state?.running?.startedAt, finishedAt } },
    }));
    this.#patch(collection, path, { status: { phase: 'Failed', reason: 'DeadlineExceeded', containerStatuses } });
  }

  /** A Pod that runs is the kubelet's to end; anything else is gone at once, with a grace period of nothing. */
  #delete(collection: string, path: string, object: FakeThing, asked: number): FakeThing {
    const runs = object.status?.phase === 'Running';
    const deletionGracePeriodSeconds = runs ? asked : 0;
    const metadata = { ...object.metadata, deletionGracePeriodSeconds, deletionTimestamp: new Date() };
    const marked = this.#keep('MODIFIED', collection, path, { ...object, metadata });
    if (deletionGracePeriodSeconds === 0) this.#remove(collection, path);
    else if (this.kubeletWorks) setImmediate(() => this.#remove(collection, path));
    return marked;
  }

  /** Changes an object as somebody else on the cluster does, if it is there, and tells who watches. */
  change(path: string, patch: object): void {
    if (this.objects.has(path)) this.#patch(path.slice(0, path.lastIndexOf('/')), path, patch);
  }

  /** Takes an object away as its kubelet or its administrator does, and tells who watches. */
  remove(path: string): void {
    this.#remove(path.slice(0, path.lastIndexOf('/')), path);
  }

  #remove(collection: string, path: string): void {
    const object = this.objects.get(path);
    if (!object) return;
    this.#keep('DELETED', collection, path, object);
    this.objects.delete(path);
  }

  #keep(type: Change['type'], collection: string, path: string, object: FakeThing): FakeThing {
    this.#version += 1;
    const kept = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.objects.set(path, kept);
    const change = { type, version: this.#version, collection, object: kept };
    this.#changes.push(change);
    for (const watch of this.#watches) tell(watch, change);
    if (type !== 'DELETED') setImmediate(() => this.kept(path, kept));
    return kept;
  }

  #watch({ query, response }: Asked, collection: string): void {
    const watch = { collection, name: nameIn(query), response };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const change of this.#changes) if (change.version > Number(query.get('resourceVersion'))) tell(watch, change);
    this.#watches.add(watch);
    response.on('close', () => this.#watches.delete(watch));
  }

  /** Of a collection, or of those of all namespaces; only labels that are equal, or there, are looked at. */
  #selected({ query }: Asked, collection: string): FakeThing[] {
    const wanted = (query.get('labelSelector') ?? '').split(',').filter((text) => text !== '');
    const name = nameIn(query);
    return [...this.objects].flatMap(([path, object]) => {
      const labels = object.metadata?.labels ?? {};
      const isWanted = wanted.every((text) => {
        const [key = '', value] = text.split('=');
        return value === undefined ? key in labels : labels[key] === value;
      });
      const isThere = isIn(collection, path.slice(0, path.lastIndexOf('/')));
      return isThere && isWanted && (name === null || object.metadata?.name === name) ? [object] : [];
    });
  }
}

const nameIn = (query: URLSearchParams): string | null => /^metadata\.name=(.*)$/.exec(query.get('fieldSelector') ?? '')?.[1] ?? null;

const isIn = (asked: string, collection: string): boolean =>
  collection.replace(/\/namespaces\/[^/]+(?=\/)/, '') === asked || collection === asked;

function tell({ collection, name, response }: Watch, change: Change): void {
  if (!isIn(collection, change.collection) || (name !== null && change.object.metadata?.name !== name)) return;
  response.write(`${JSON.stringify({ type: change.type, object: change.object })}\n`);
}

/** RFC 7396, which does for the patches of the runtime, strategic ones too. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = typeof target === 'object' && target !== null ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}
