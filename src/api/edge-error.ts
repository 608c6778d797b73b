/**
 * A refusal by the edge itself, before any operation: the original's router and WebOb make these, and their
 * public code is `container.` with nothing after the dot.
 */
export class EdgeError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.name = 'EdgeError';
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}
