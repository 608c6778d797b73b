import { RuntimeFault, type RuntimeFaultKind } from '../runtime-fault.ts';

/**
 * The fault for an engine's refusal. Docker answers some conflicts and bad arguments with 500, Podman nearly all of them:
 * those are told by their words.
 */
export function engineFault(status: number, body: Buffer): RuntimeFault {
  const message = engineSentence(body) || `The engine answered with status ${status}.`;
  return new RuntimeFault(faultKind(status, message), message);
}

function faultKind(status: number, message: string): RuntimeFaultKind {
  if (status === 404) return 'not-found';
  if (status === 409) return 'conflict';
  if (status === 400) return 'invalid';
  if (status === 401) return 'denied';
  for (const [pattern, kind] of wordings) if (pattern.test(message)) return kind;
  return status === 403 ? 'denied' : 'failed';
}

const wordings: [RegExp, RuntimeFaultKind][] = [
  [/no such (container|image|network)|image not known|network not found/i, 'not-found'],
  [
    /state improper|is not paused|is already paused|is not running|already in use|is paused|already exists in network|already connected/i,
    'conflict',
  ],
  [/invalid (reference format|signal|argument)|must be lowercase|unsupported signal/i, 'invalid'],
  [/unauthorized|authentication required|no basic auth credentials|invalid username\/password|access to the resource is denied/i, 'denied'],
];

/** `message` of the engine's error document, or the text of a body that is none. */
export function engineSentence(body: Buffer): string {
  const text = body.toString('utf8').trim();
  try {
    const document = JSON.parse(text) as { message?: unknown; cause?: unknown };
    if (typeof document.message === 'string') return document.message.trim();
    if (typeof document.cause === 'string') return document.cause.trim();
  } catch {
    // Podman's router answers plain text; it is the sentence itself.
  }
  return text;
}
