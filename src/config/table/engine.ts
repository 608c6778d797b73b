import type { SettingRow } from '../setting-row.ts';

/** What containers run on. */
export const engineRows: readonly SettingRow[] = [
  {
    key: 'runtime.kind',
    fields: ['runtime.kind'],
    rule: { type: 'text', oneOf: ['docker', 'kubernetes'] },
    says: "What containers run on: docker is this machine's engine (Docker or Podman), kubernetes a cluster.",
  },
  {
    key: 'engine.search',
    fields: ['engine.search'],
    rule: { type: 'text', oneOf: ['any', 'private', 'memory'] },
    says: 'The container engine: any that is found; in standalone also a private Podman, or memory (nothing real runs).',
    variable: 'ZUN_ENGINE',
  },
  {
    key: 'engine.address',
    fields: ['engine.address'],
    rule: {
      type: 'text',
      pattern: /^(unix:\/\/\/\S+|\/\S+|(tcp|http):\/\/[^\s/]+\/?)$/,
      wanted: 'unix:///path, tcp://host:port or http://host:port',
      orNull: true,
    },
    says: 'Where the engine listens. null: search for it.',
    replaces: ['docker/api_url'],
    variable: 'DOCKER_HOST',
  },
];
