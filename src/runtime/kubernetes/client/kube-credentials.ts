import type { Agent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { KubeConfig } from '@kubernetes/client-node';
import { RuntimeFault } from '../../runtime-fault.ts';

export type KubeTls = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'rejectUnauthorized' | 'servername'>;

/** How one call shows who it comes from. */
export interface KubeAccess {
  headers: Record<string, string>;
  tls: KubeTls;
  /** Leads through the proxy that the kubeconfig names; `null` without one. */
  proxyAgent: Agent | null;
}

/**
 * Who this service is to the API server, from a kubeconfig: certificates, tokens, token files (read again each minute by the library),
 * plugins (run again when what they gave has expired).
 */
export class KubeCredentials {
  #config: KubeConfig;
  #asked: Promise<KubeAccess> | null = null;

  constructor(config: KubeConfig) {
    this.#config = config;
  }

  /** Callers at the same time share one answer, so that a plugin runs once for them. */
  current(): Promise<KubeAccess> {
    this.#asked ??= this.#ask(this.#config).finally(() => {
      this.#asked = null;
    });
    return this.#asked;
  }

  /**
   * After a 401: forgets tokens that were kept and asks for new ones. False when they are the same, so that nothing is to be gained
   * by another attempt.
   */
  async renew(refused: KubeAccess): Promise<boolean> {
    // The authenticators of a new configuration have kept nothing.
    const config = new KubeConfig();
    config.loadFromOptions(this.#config);
    const access = await this.#ask(config);
    this.#config = config;
    return access.headers.authorization !== refused.headers.authorization || String(access.tls.cert) !== String(refused.tls.cert);
  }

  async #ask(config: KubeConfig): Promise<KubeAccess> {
    const options: AppliedOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      const words = error instanceof Error ? error.message.trim() : String(error);
      throw new RuntimeFault('unreachable', `The credentials for Kubernetes cannot be had: ${words}`, { cause: error });
    }
    const headers: Record<string, string> = {};
    if (options.auth !== undefined) headers.authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`;
    // A token file ends with a line end when somebody made it with an editor.
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = String(value).trim();
    const tls: KubeTls = {};
    for (const member of tlsMembers) if (options[member] !== undefined) Object.assign(tls, { [member]: options[member] });
    return { headers, tls, proxyAgent: config.getCurrentCluster()?.proxyUrl ? (options.agent ?? null) : null };
  }
}

type AppliedOptions = KubeTls & { headers?: Record<string, string>; auth?: string; agent?: Agent };

const tlsMembers = ['ca', 'cert', 'key', 'passphrase', 'rejectUnauthorized', 'servername'] as const;
