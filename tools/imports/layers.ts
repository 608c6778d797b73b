/** Where a module of `src/` stands: a layer may import its own height and what is below. */
export interface Layer {
  kind: 'program' | 'api' | 'feature' | 'service' | 'engine' | 'adapter' | 'port' | 'ground';
  height: number;
  /** The folder below `src/` that makes the layer; of a feature with its name. */
  folder: string;
}

const layers: Record<string, Pick<Layer, 'kind' | 'height'>> = {
  programs: { kind: 'program', height: 5 },
  api: { kind: 'api', height: 4 },
  features: { kind: 'feature', height: 4 },
  console: { kind: 'service', height: 4 },
  agent: { kind: 'service', height: 4 },
  admin: { kind: 'service', height: 4 },
  tasks: { kind: 'engine', height: 3 },
  scheduling: { kind: 'engine', height: 3 },
  sync: { kind: 'engine', height: 3 },
  local: { kind: 'adapter', height: 2 },
  openstack: { kind: 'adapter', height: 2 },
  'runtime/docker': { kind: 'adapter', height: 2 },
  'runtime/kubernetes': { kind: 'adapter', height: 2 },
  'runtime/memory': { kind: 'adapter', height: 2 },
  'scheduling/inventory.ts': { kind: 'port', height: 1 },
  runtime: { kind: 'port', height: 1 },
  identity: { kind: 'port', height: 1 },
  networking: { kind: 'port', height: 1 },
  volumes: { kind: 'port', height: 1 },
  policy: { kind: 'ground', height: 1 },
  db: { kind: 'ground', height: 1 },
  config: { kind: 'ground', height: 1 },
  validation: { kind: 'ground', height: 1 },
  rules: { kind: 'ground', height: 1 },
  crypto: { kind: 'ground', height: 1 },
  errors: { kind: 'ground', height: 0 },
  telemetry: { kind: 'ground', height: 0 },
};

/** The layer of `src/<folder>/…`; `null` for a folder that no layer names. */
export function layerOf(module: string): Layer | null {
  const [, first = '', second = ''] = module.split('/');
  for (const folder of [`${first}/${second}`, first]) {
    const layer = layers[folder];
    if (layer) return { ...layer, folder: layer.kind === 'feature' ? `${first}/${second}` : folder };
  }
  return null;
}
