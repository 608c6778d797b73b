import { booleanFromString } from '../../rules/boolean-from-string.ts';
import { isPart, type TemplatePart } from '../../rules/capsule-template.ts';
import { invalidCapsuleTemplate } from '../../rules/capsule-template-error.ts';
import { requireImageName } from '../../rules/require-image-name.ts';
import { plainJson } from '../../validation/plain-json.ts';
import { pythonNumber } from '../../validation/python-number.ts';
import type { Container } from '../containers/container.ts';

/** A place where a container mounts a volume of its capsule. */
export interface VolumeMount {
  name: string;
  mountPath: string;
  readOnly: boolean;
}

/** The columns of a capsule's container that come from the template, and its mounts. Memory is whole MiB. */
export interface MemberDraft
  extends Pick<Container, 'image' | 'cpu' | 'command' | 'environment' | 'workdir' | 'exposedPorts' | 'interactive' | 'tty'> {
  /** In small letters; `null` when none is given. */
  imagePullPolicy: string | null;
  memoryMiB: number | null;
  mounts: VolumeMount[];
}

/**
 * One container of a template, under a container's names (`capsuleContainerSpecs`). Init containers come here unchecked by any
 * schema, so each value's kind is looked at: 400 where the original fails with 500. Members it does not know are passed over.
 * Numbers may be text, which the schema allows and the original fails on. Origin: zun/api/controllers/v1/capsules.py, _do_post.
 */
export function memberDraft(spec: TemplatePart): MemberDraft {
  const requests = part(part(spec.resources, 'resources').requests, 'requests');
  const memory = quantity(requests.memory, 'memory');
  if (memory !== null && !Number.isInteger(memory)) throw invalidCapsuleTemplate('memory has to be whole MiB');
  const image = text(spec.image, 'image') ?? '';
  requireImageName(image);
  const command = [...texts(spec.command, 'command'), ...texts(spec.args, 'args')];
  return {
    image,
    imagePullPolicy: text(spec.image_pull_policy, 'imagePullPolicy')?.toLowerCase() ?? null,
    cpu: quantity(requests.cpu, 'cpu'),
    memoryMiB: memory,
    command: command.length > 0 ? command : null,
    environment: isAbsent(spec.environment) ? null : environment(part(spec.environment, 'env')),
    workdir: text(spec.workdir, 'workDir'),
    exposedPorts: exposedPorts(parts(spec.ports, 'ports')),
    interactive: flag(spec.interactive, 'stdin'),
    tty: flag(spec.tty, 'tty'),
    mounts: parts(spec.volumeMounts, 'volumeMounts').map((mount) => ({
      name: text(mount.name, 'volumeMounts name') ?? '',
      mountPath: mountPath(mount.mountPath),
      readOnly: flag(mount.readOnly, 'readOnly'),
    })),
  };
}

function exposedPorts(ports: TemplatePart[]): Record<string, object> | null {
  if (ports.length === 0) return null;
  const exposed = ports.map(({ containerPort, protocol }) => {
    if (!/^\d+$/.test(String(containerPort))) throw invalidCapsuleTemplate('containerPort has to be a number');
    return [`${containerPort}/${(text(protocol, 'protocol') ?? 'tcp').toLowerCase()}`, {}];
  });
  return Object.fromEntries(exposed);
}

function environment(variables: TemplatePart): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, text(value, `env ${name}`) ?? '']));
}

function mountPath(value: unknown): string {
  const path = text(value, 'mountPath') ?? '';
  if (!path.startsWith('/')) throw invalidCapsuleTemplate(`mountPath has to be an absolute path, not '${path}'`);
  return path;
}

/** A positive number, as number or text; 0 and nothing are nothing. */
function quantity(value: unknown, name: string): number | null {
  if (isAbsent(value) || value === '') return null;
  const number = typeof value === 'string' ? plainJson(pythonNumber(value)) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) throw invalidCapsuleTemplate(`${name} has to be a number`);
  return number === 0 ? null : number;
}

function text(value: unknown, name: string): string | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'string') throw invalidCapsuleTemplate(`${name} has to be text`);
  return value;
}

function texts(value: unknown, name: string): string[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    throw invalidCapsuleTemplate(`${name} has to be a list of texts`);
  return value;
}

function part(value: unknown, name: string): TemplatePart {
  if (isAbsent(value)) return {};
  if (!isPart(value)) throw invalidCapsuleTemplate(`${name} has to be an object`);
  return value;
}

function parts(value: unknown, name: string): TemplatePart[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) throw invalidCapsuleTemplate(`${name} has to be a list`);
  return value.map((item) => part(item, name));
}

const flag = (value: unknown, name: string): boolean => !isAbsent(value) && booleanFromString(value as string | boolean, name);
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
