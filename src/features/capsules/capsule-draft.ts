import { capsuleContainerSpecs } from '../../rules/capsule-container-spec.ts';
import { capsuleTemplate, isPart, type TemplatePart } from '../../rules/capsule-template.ts';
import { invalidCapsuleTemplate } from '../../rules/capsule-template-error.ts';
import { type CapsuleVolumeSpec, capsuleVolumeSpecs } from '../../rules/capsule-volume-spec.ts';
import type { Container } from '../containers/container.ts';
import { type MemberDraft, memberDraft } from './member-draft.ts';

type RestartPolicyColumn = NonNullable<Container['restartPolicy']>;

export interface CapsuleMemberDraft extends MemberDraft {
  isInit: boolean;
  restartPolicy: RestartPolicyColumn;
}

/** What a template asks for. */
export interface CapsuleDraft {
  name: string | null;
  labels: Record<string, string> | null;
  annotations: Record<string, unknown> | null;
  restartPolicy: RestartPolicyColumn;
  availabilityZone: string | null;
  /** Init containers first. */
  members: CapsuleMemberDraft[];
  volumes: CapsuleVolumeSpec[];
  /** Cores and MiB: the sum of the containers, or of one init container that wants more, since those run alone. */
  cpu: number;
  memoryMiB: number;
}

const policies = ['no', 'always', 'on-failure', 'unless-stopped'];

/**
 * Reads a template. 400 for what neither its schema nor its rules let through. A `restartPolicy` beside the spec says nothing, as in
 * the original. Origin: zun/api/controllers/v1/capsules.py, _do_post.
 */
export function capsuleDraft(template: unknown, checkText: (text: string) => void): CapsuleDraft {
  const read = capsuleTemplate(template, checkText);
  const { containers, initContainers } = capsuleContainerSpecs(read.spec);
  const volumes = capsuleVolumeSpecs(read.spec);
  const metadata = isPart(read.template.metadata) ? read.template.metadata : {};
  const restartPolicy = { MaximumRetryCount: '0', Name: policyName(read.spec) };
  const members = [...initContainers.map((spec) => ({ spec, isInit: true })), ...containers.map((spec) => ({ spec, isInit: false }))].map(
    ({ spec, isInit }) => ({ ...memberDraft(spec), isInit, restartPolicy: memberPolicy(restartPolicy, initContainers.length > 0) }),
  );
  const zone = read.template.availabilityZone;
  return {
    name: typeof metadata.name === 'string' ? metadata.name : null,
    labels: labels(metadata.labels),
    annotations: isPart(metadata.annotations) ? metadata.annotations : null,
    restartPolicy,
    availabilityZone: typeof zone === 'string' && zone !== '' ? zone : null,
    members,
    volumes,
    cpu: needed(members, (member) => member.cpu),
    memoryMiB: needed(members, (member) => member.memoryMiB),
  };
}

function policyName(spec: TemplatePart): string {
  const name = spec.restart_policy || 'always';
  if (typeof name !== 'string' || !policies.includes(name))
    throw invalidCapsuleTemplate(`restart_policy has to be one of ${policies.join(', ')}`);
  return name;
}

/**
 * An init container that restarts always would never let the others begin, so `always` becomes ten tries. The original passes that on
 * to every container after it, and clients see it.
 */
function memberPolicy(policy: RestartPolicyColumn, hasInit: boolean): RestartPolicyColumn {
  return hasInit && policy.Name === 'always' ? { MaximumRetryCount: '10', Name: 'on-failure' } : policy;
}

function labels(value: unknown): Record<string, string> | null {
  if (!isPart(value)) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, label]) => {
      if (typeof label !== 'string' && typeof label !== 'number') throw invalidCapsuleTemplate(`label ${key} has to be text`);
      return [key, String(label)];
    }),
  );
}

/** Whole millionths, so that 0.1 + 0.2 is 0.3. */
function needed(members: CapsuleMemberDraft[], amount: (member: CapsuleMemberDraft) => number | null): number {
  const millionths = (wanted: CapsuleMemberDraft[]) => wanted.map((member) => Math.round((amount(member) ?? 0) * 1_000_000));
  const together = millionths(members.filter(({ isInit }) => !isInit)).reduce((sum, each) => sum + each, 0);
  return Math.max(together, ...millionths(members.filter(({ isInit }) => isInit))) / 1_000_000;
}
