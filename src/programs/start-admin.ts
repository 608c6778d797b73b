import { type AdminServerOptions, adminServer } from '../admin/admin-server.ts';

export interface StartAdminOptions extends AdminServerOptions {
  at: { host: string; port: number };
  /** Lines for the operator. */
  say(line: string): void;
}

/**
 * Serves health and metrics; answers how to end that. A port in use is no reason not to start: another standalone, on ports of its
 * own, may have it.
 */
export async function startAdmin({ at, say, ...options }: StartAdminOptions): Promise<() => Promise<void>> {
  const server = adminServer(options);
  try {
    await server.listen(at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    say(`port ${at.port} (health and metrics) is in use: going on without them; ZUN_ADMIN_PORT names another`);
  }
  return () => server.close();
}
