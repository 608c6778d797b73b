import type { V1Status } from '@kubernetes/client-node';

export interface KubeErrorFacts {
  /** HTTP status; of an ERROR event of a watch its `code`. */
  status: number;
  /** `Status.reason`: `AlreadyExists`, `Expired`, `Forbidden`, …; '' when the answer was no Status. */
  reason: string;
  message: string;
  retryAfterSeconds: number | null;
}

/** A refusal by the API server, or by what stands before it. `message` is the server's own words. `kubeFault` makes a fault of it. */
export class KubeError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly retryAfterSeconds: number | null;

  constructor({ status, reason, message, retryAfterSeconds }: KubeErrorFacts) {
    super(message);
    this.name = 'KubeError';
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether what was asked is refused, by rights, policies or for want of what it is about, and other calls need not be. */
  get isRefusal(): boolean {
    return [403, 404, 409, 422].includes(this.status);
  }

  /** Whether RBAC does not give the right: `pods is forbidden: User "u" cannot list resource "pods" …`. Quotas and admission answer 403, too. */
  get lacksRight(): boolean {
    return this.status === 403 && /\bcannot \w+ (resource|path)\b/.test(this.message);
  }

  /** Of an answer whose body need not be a Status: load balancers answer HTML. */
  static ofAnswer(status: number, body: Buffer, retryAfter?: string): KubeError {
    const text = body.toString('utf8').trim();
    const told = parsedStatus(text);
    return new KubeError({
      status,
      reason: told?.reason ?? '',
      message: told?.message || text.slice(0, longestWords) || `The Kubernetes API server answered with status ${status}.`,
      retryAfterSeconds: wholeSeconds(retryAfter) ?? told?.details?.retryAfterSeconds ?? null,
    });
  }

  /** Of a Status that came as an event. */
  static ofStatus(status: V1Status): KubeError {
    return new KubeError({
      status: status.code ?? 500,
      reason: status.reason ?? '',
      message: status.message || 'The Kubernetes API server told of an error without words.',
      retryAfterSeconds: status.details?.retryAfterSeconds ?? null,
    });
  }
}

/** Of a body that is no Status, so many characters are passed on. */
const longestWords = 500;

function parsedStatus(text: string): V1Status | null {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null && 'kind' in document && document.kind === 'Status'
      ? (document as V1Status)
      : null;
  } catch {
    return null;
  }
}

/** The header's other form, a date, is not used by Kubernetes. */
function wholeSeconds(retryAfter: string | undefined): number | null {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
}
