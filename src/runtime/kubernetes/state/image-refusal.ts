import type { V1ContainerStateWaiting } from '@kubernetes/client-node';
import type { RuntimeFaultKind } from '../../runtime-fault.ts';

/** Why a node has not got an image. */
export interface ImageRefusal {
  kind: RuntimeFaultKind;
  /** The registry's, or else the kubelet's. */
  words: string;
  /** No later attempt can go better. */
  definite: boolean;
}

/** `null` when the container waits for something else. Pure. */
export function imageRefusal({ reason = '', message = '' }: V1ContainerStateWaiting): ImageRefusal | null {
  if (!reasons.has(reason)) return null;
  const words = registryWords(message) || reason;
  if (reason === 'InvalidImageName') return { kind: 'invalid', words, definite: true };
  if (reason === 'ErrImageNeverPull') return { kind: 'not-found', words, definite: true };
  const kind = wordings.find(([pattern]) => pattern.test(words))?.[1] ?? 'failed';
  return { kind, words, definite: kind === 'not-found' || kind === 'denied' || kind === 'invalid' };
}

const reasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ImageInspectError',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** What is tried again comes first: a name that is not resolved is "not found", too. The rest is in the order of the Docker adapter. */
const wordings: [RegExp, RuntimeFaultKind][] = [
  [
    /dial tcp|no such host|connection refused|connection reset|i\/o timeout|network is unreachable|TLS handshake|deadline exceeded/i,
    'unreachable',
  ],
  [/server gave HTTP response|certificate|EOF$|\b(429|5\d\d) [A-Z]|toomanyrequests/i, 'unreachable'],
  [/manifest unknown|name unknown|not found|does not exist|no match for platform/i, 'not-found'],
  [/unauthorized|authorization failed|authentication required|no basic auth|denied|forbidden/i, 'denied'],
  [/invalid reference format|must be lowercase/i, 'invalid'],
];

const registryWords = (message: string): string => message.trim().replace(layers, '');

/** Those that pass on what the registry said. */
const layers = new RegExp(
  `^(?:(?:${[
    'Back-off pulling image "[^"]*":(?= \\w)',
    '(?:ErrImagePull|ImagePullBackOff|RegistryUnavailable|SignatureValidationFailed):',
    'rpc error: code = \\w+ desc =',
    'failed to pull and unpack image "[^"]*":',
    'failed to pull image "[^"]*":',
    'failed to resolve (?:reference|image)(?: "[^"]*")?:',
  ].join('|')}) ?)+`,
);
