import type { ServiceHeartbeat } from '../rules/service-is-up.ts';
import { type HostLoss, hostLoss } from './lost-host.ts';

/** The service of a host as its row has it. */
export interface WatchedService extends ServiceHeartbeat {
  host: string;
  /** Grows with each sign of life. */
  signs: number;
}

/** Milliseconds. */
const declarationStands = 30_000;

/**
 * Which hosts are lost. One that is silent by its row has to stay so before our eyes for as long: a clock that is off by minutes, or a
 * start of everything after a night, must not make a whole site Unknown. What an administrator declares counts once it has stood for a
 * moment: it can be taken back before anybody's container is called Unknown for it.
 */
export class HostWatch {
  readonly #downTimeSeconds: number;
  readonly #signs = new Map<string, { signs: number; at: number }>();
  /** Since when each host has been declared down. */
  readonly #declared = new Map<string, number>();

  constructor(downTimeSeconds: number) {
    this.#downTimeSeconds = downTimeSeconds;
  }

  /** Of all services, as read at `now` by the machine's time and `at` by `Clock.monotonic`, the hosts that are lost. */
  lost(services: WatchedService[], now: number, at: number): HostLoss[] {
    const known = new Set(services.map(({ host }) => host));
    for (const host of this.#signs.keys()) if (!known.has(host)) this.#signs.delete(host);
    return services.flatMap((service) => {
      const silentSince = this.#lastSign(service, at);
      const declaredSince = this.#declaration(service, at);
      const loss = hostLoss(service.host, service, now, this.#downTimeSeconds);
      if (loss === null) return [];
      const isLost = loss.kind === 'declared' ? at - declaredSince >= declarationStands : at - silentSince >= this.#downTimeSeconds * 1000;
      return isLost ? [loss] : [];
    });
  }

  #declaration({ host, forcedDown }: WatchedService, at: number): number {
    if (!forcedDown) this.#declared.delete(host);
    const since = this.#declared.get(host) ?? at;
    if (forcedDown) this.#declared.set(host, since);
    return since;
  }

  #lastSign({ host, signs }: WatchedService, at: number): number {
    const sign = this.#signs.get(host);
    if (sign?.signs === signs) return sign.at;
    this.#signs.set(host, { signs, at });
    return at;
  }
}
