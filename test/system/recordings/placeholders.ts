const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const anyTime = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+]00:00)?';

/** What a placeholder may stand for, by its name without the number. A `uuid` where there is nothing else. */
const patterns: Record<string, string> = {
  demo_project: '[0-9a-f]{32}',
  demo_user: '[0-9a-f]{32}',
  alt_project: '[0-9a-f]{32}',
  alt_user: '[0-9a-f]{32}',
  admin_project: '[0-9a-f]{32}',
  admin_user: '[0-9a-f]{32}',
  request_id: `req-${uuid}`,
  docker_id: '[0-9a-f]{64}',
  docker_id_short: '[0-9a-f]{12}',
  docker_image: '[0-9a-f]{64}',
  digest: '[0-9a-f]{64}',
  exec: '[0-9a-f]{64}',
  hex: '[0-9a-f]{32}',
  ip: '\\d+[.]\\d+[.]\\d+[.]\\d+',
  mac: '[0-9a-f]{2}(?::[0-9a-f]{2}){5}',
  ws_token: '[^&\\s"]+',
  wsproxy: 'wss?://[^?\\s"]+',
  site: '[^":]+',
  path: '[^":]+',
  state_path: '[^":]+',
  random: '.+',
  name: '.+',
};

/** Stand for another value each time. */
const unnamed = new Set(['random']);

const kinds = [
  ...Object.keys(patterns),
  ...['container', 'capsule', 'init_container', 'port', 'network', 'network_without_subnet', 'subnet', 'id', 'image', 'glance_image'],
  ...[
    'registry_row',
    'host',
    'net',
    'own_port',
    'own_volume',
    'own_group',
    'volume',
    'resource_provider',
    'security_group',
    'default_group',
  ],
  ...['registry', 'private_registry', 'zun'],
];

const placeholder = new RegExp(
  `\\{(?<name>(?:${kinds.sort((one, other) => other.length - one.length).join('|')})\\d*)\\}|\\{time(?::(?<format>[^}]*))?\\}`,
  'g',
);

/** The values that the placeholders of one scenario stand for, learnt from the answers in the order in which they come. */
export class Placeholders {
  readonly #values: Map<string, string>;

  constructor(values: Iterable<[string, string]> = []) {
    this.#values = new Map(values);
  }

  copy(): Placeholders {
    return new Placeholders(this.#values);
  }

  /** Takes over what a copy has learnt. */
  learn(other: Placeholders): void {
    for (const [name, value] of other.#values) this.#values.set(name, value);
  }

  value(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  /** Every value of a kind: `container` gives those of `{container}`, `{container2}`… */
  all(kind: string): string[] {
    return [...this.#values].filter(([name]) => name.replace(/\d+$/, '') === kind).map(([, value]) => value);
  }

  /** The text with its placeholders replaced; `null` when one of them is not known yet. */
  filled(text: string): string | null {
    let complete = true;
    const filled = text.replace(placeholder, (whole, name: string | undefined) => {
      const value = name === undefined ? undefined : this.#values.get(name);
      if (value === undefined) complete = false;
      return value ?? whole;
    });
    return complete ? filled : null;
  }

  /** Whether the text can be what was recorded; then the placeholders in it are known from now on. */
  matches(recorded: string, text: string): boolean {
    const learnt: string[] = [];
    let pattern = '';
    let end = 0;
    for (const found of recorded.matchAll(placeholder)) {
      pattern += literal(recorded.slice(end, found.index));
      end = found.index + found[0].length;
      const name = found.groups?.name;
      if (name === undefined) pattern += timePattern(found.groups?.format ?? '');
      else pattern += this.#patternOf(name, learnt);
    }
    pattern += literal(recorded.slice(end));
    const match = new RegExp(`^${pattern}$`, 's').exec(text);
    for (const name of match ? learnt : []) this.#values.set(name, match?.groups?.[name] ?? '');
    return match !== null;
  }

  #patternOf(name: string, learnt: string[]): string {
    const value = this.#values.get(name);
    if (value !== undefined) return literal(value);
    if (unnamed.has(name)) return patterns[name] ?? uuid;
    if (learnt.includes(name)) return `\\k<${name}>`;
    learnt.push(name);
    return `(?<${name}>${patterns[name.replace(/\d+$/, '')] ?? uuid})`;
  }
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `{time}` stands for every format in two of the scenarios, and for the plain one elsewhere: it is taken for any here. */
function timePattern(format: string): string {
  if (format === '') return anyTime;
  const [, separator = '', digits = '', zone = ''] = /^(T?)(?:\.(\d+))?(.*)$/.exec(format) ?? [];
  // An engine cuts zeros off the end of nanoseconds.
  // Python leaves a fraction out that is zero.
  const fraction = digits === '' ? '' : zone === 'Z' ? '\\.\\d{1,9}' : `(?:\\.\\d{${digits}})?`;
  return `\\d{4}-\\d\\d-\\d\\d${separator === 'T' ? 'T' : ' '}\\d\\d:\\d\\d:\\d\\d${fraction}${literal(zone)}`;
}
