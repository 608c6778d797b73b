/** A Zun under test, as its API shows it. */
export interface ZunSystem {
  request(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, json?: unknown): Promise<{ status: number; json: unknown }>;
  /** Resolves when nobody is at work on any container any more. */
  settled(): Promise<void>;
}
