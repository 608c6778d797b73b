import type { ApiRequest } from '../../api/operation.ts';
import { requireVersion } from '../../api/require-version.ts';
import type { ContainerSettings } from '../../config/settings.ts';
import { conflict, invalidParameterValue, invalidValue } from '../../errors/catalogue.ts';
import { booleanFromString } from '../../rules/boolean-from-string.ts';
import { splitCommand } from '../../rules/command-split.ts';
import { requireImageName } from '../../rules/require-image-name.ts';
import { stringOrNone } from '../../rules/string-or-none.ts';
import { exposedPorts } from '../../runtime/exposed-ports.ts';
import { checkedRestartPolicy } from '../../runtime/restart-policy.ts';
import type { Container } from './container.ts';

/** The columns of a container that come from the body of its create. */
export type ContainerDraft = Pick<
  Container,
  | 'name'
  | 'image'
  | 'imageDriver'
  | 'imagePullPolicy'
  | 'cpu'
  | 'cpuPolicy'
  | 'memory'
  | 'disk'
  | 'command'
  | 'entrypoint'
  | 'environment'
  | 'workdir'
  | 'labels'
  | 'hostname'
  | 'exposedPorts'
  | 'restartPolicy'
  | 'healthcheck'
  | 'interactive'
  | 'tty'
  | 'autoRemove'
  | 'autoHeal'
  | 'privileged'
  | 'runtime'
>;

/**
 * Reads the checked parameters of a create into columns: version gates, defaults and the rules that schemas cannot
 * say. A `null` counts as absent. `authorize` throws for a rule that the caller does not pass. Pure but for the name.
 * Origin: zun/api/controllers/v1/containers.py (post, _do_post).
 */
export function containerDraft(
  request: ApiRequest,
  settings: ContainerSettings,
  newName: () => string,
  authorize: (rule: string) => void = () => {},
): ContainerDraft {
  const params = withoutNulls(request.params);
  gate(request, params, authorize);
  const image = String(params.image);
  requireImageName(image);
  const interactive = flag(params.interactive, 'run or interactive') ?? false;
  // From 1.20 to 1.35 a container that is interactive has a terminal, whatever `tty` says.
  const tty = request.version >= 20 && request.version <= 35 && params.interactive !== undefined ? interactive : flag(params.tty, 'tty');
  return {
    name: typeof params.name === 'string' && params.name !== '' ? params.name : newName(),
    image,
    imageDriver: stringOrNone(text(params.image_driver)) ?? settings.defaultImageDriver,
    imagePullPolicy: text(params.image_pull_policy),
    cpu: Number(params.cpu ?? settings.defaultCpu),
    cpuPolicy: text(params.cpu_policy) ?? 'shared',
    memory: String(params.memory ?? settings.defaultMemoryMiB),
    disk: Number(params.disk ?? 0),
    command: typeof params.command === 'string' ? splitCommand(params.command) : strings(params.command),
    entrypoint: strings(params.entrypoint),
    environment: dictionary(params.environment),
    workdir: text(params.workdir),
    labels: dictionary(params.labels),
    hostname: text(params.hostname),
    exposedPorts: params.exposed_ports === undefined ? null : exposedPorts(params.exposed_ports as Record<string, unknown>),
    restartPolicy: restartPolicyColumn(params.restart_policy),
    healthcheck: healthcheckColumn(params.healthcheck),
    interactive,
    tty: tty ?? false,
    autoRemove: flag(params.auto_remove, 'auto_remove') ?? false,
    autoHeal: flag(params.auto_heal, 'auto_heal') ?? false,
    privileged: flag(params.privileged, 'privileged') ?? false,
    runtime: text(params.runtime),
  };
}

/** In the order of the original, which decides which of two is named. */
const gatedParameters = [
  'auto_remove',
  'runtime',
  'hostname',
  'healthcheck',
  'mounts',
  'privileged',
  'image_pull_policy',
  'exposed_ports',
  'registry',
];
const lookedAtWhenFilled = new Set(['healthcheck', 'mounts', 'image_pull_policy', 'registry']);
const restricted = new Set(['runtime', 'privileged', 'image_pull_policy']);

/**
 * Parameters that came with a version are refused before it, and those that only some callers may set to the others. Empty mounts,
 * healthchecks and registries are not looked at.
 */
function gate(request: ApiRequest, params: Record<string, unknown>, authorize: (rule: string) => void): void {
  for (const param of gatedParameters) {
    const value = params[param];
    if (!(lookedAtWhenFilled.has(param) ? isFilled(value) : value !== undefined)) continue;
    if (param !== 'image_pull_policy') requireVersion(request, 'POST /v1/containers', param);
    if (restricted.has(param)) authorize(`container:create:${param}`);
  }
}

/** Refuses (409) what the original takes, and then hangs or drops. To be asked once the caller is known to have the right. */
export function refuseWhatNoNodeDoes(params: Record<string, unknown>): void {
  if (params.cpu_policy === 'dedicated') {
    throw conflict("Invalid value 'dedicated' for cpu_policy: no node pins CPUs. Use 'shared'.");
  }
  if (flag(params.auto_remove, 'auto_remove') && restartPolicyName(params) !== 'no') {
    throw conflict(`auto_remove cannot go with restart_policy '${restartPolicyName(params)}': a container that restarts is not removed.`);
  }
}

function restartPolicyName(params: Record<string, unknown>): string {
  const policy = params.restart_policy as { Name?: string } | undefined;
  return policy?.Name ?? 'no';
}

function restartPolicyColumn(value: unknown): Container['restartPolicy'] {
  const policy = checkedRestartPolicy(value as { Name?: string; MaximumRetryCount?: string | number | null } | undefined);
  if (!policy?.Name) return null;
  return { Name: policy.Name, MaximumRetryCount: String(policy.MaximumRetryCount ?? '0') };
}

function healthcheckColumn(value: unknown): Record<string, unknown> | null {
  if (!isFilled(value)) return null;
  const { cmd, ...rest } = value as Record<string, unknown>;
  for (const name of ['interval', 'timeout', 'retries']) {
    const given = rest[name];
    if (given !== undefined && given !== null && !(Number.isInteger(Number(given)) && Number(given) >= 0)) {
      throw invalidParameterValue(`Invalid value '${given}' for healthcheck ${name}: whole seconds (or a count) of at least 0 are wanted.`);
    }
  }
  return { ...rest, test: cmd ?? '' };
}

export function withoutNulls(params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

const text = (value: unknown): string | null => (value === undefined ? null : String(value));
const strings = (value: unknown): string[] | null =>
  Array.isArray(value) ? value.map((member) => plainText(member, 'a list of texts')) : null;
const flag = (value: unknown, names: string): boolean | null =>
  value === undefined ? null : booleanFromString(value as string | boolean, names);

function dictionary(value: unknown): Record<string, string> | null {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainText(member, `the value of '${key}'`)]));
}

/** Lists and objects are no text; the original answers 500 to them. */
function plainText(value: unknown, where: string): string {
  if (typeof value === 'object' && value !== null) throw invalidValue(`A string is required in ${where}, not ${JSON.stringify(value)}.`);
  return String(value);
}
