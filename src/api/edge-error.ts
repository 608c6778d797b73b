/**
 * A refusal by the edge itself, before any operation: the original's router and WebOb make these, and their
 * public code is `container.` with nothing after the dot.
 */
export class EdgeError extends Error {
  readonly status: number;
  /** `null` where the original has none. */
  readonly detail: string | null;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string | null, headers: Record<string, string> = {}) {
    super(detail ?? '');
    this.name = 'EdgeError';
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}
