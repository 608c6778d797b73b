import type { SyncObserver } from '../../src/sync/sync-observer.ts';
import type { Life } from './life.ts';

/** Who leads what: watches that nobody begins to lead what another, who lives and is awake, leads as well. */
export class LeaderHands {
  readonly violations: string[] = [];
  readonly #leaders = new Map<string, { process: string; term: number; life: Life }>();

  observer(process: string, life: Life, tell: (line: string) => void): SyncObserver {
    return {
      leads: (lease, term, begins) => {
        const before = this.#leaders.get(lease);
        if (!begins) {
          tell(`${process} leads ${lease} no longer`);
          if (before?.process === process) this.#leaders.delete(lease);
          return;
        }
        tell(`${process} leads ${lease}, term ${term}`);
        if (before?.life.alive && !before.life.stopped)
          this.violations.push(`two lead ${lease}: ${before.process} (term ${before.term}) and ${process} (term ${term})`);
        if (before && before.term >= term) this.violations.push(`the term ${term} of ${lease} comes after ${before.term}`);
        this.#leaders.set(lease, { process, term, life });
      },
    };
  }

  /** The names of the processes that lead something now. */
  leading(): string[] {
    return [...this.#leaders.values()].filter(({ life }) => life.alive).map(({ process }) => process);
  }
}
