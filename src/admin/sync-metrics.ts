import type { SyncObserver } from '../sync/sync-observer.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Tells whether rows follow the engine: how long ago it was listed, what its events and the comparisons came to. */
export function syncMetrics(metrics: Metrics, clock: Clock): SyncObserver {
  const listings = metrics.duration('zun_sync_listing_duration_seconds', 'Time of a complete listing of the engine.', ['outcome']);
  const differing = metrics.counter('zun_sync_differing_total', 'Rows that a listing contradicted.');
  const events = metrics.counter('zun_sync_events_total', 'Events of the engine.');
  const breaks = metrics.counter('zun_sync_stream_breaks_total', 'Breaks of the stream of events; a listing follows each.');
  const reconciles = metrics.counter('zun_sync_reconciles_total', 'Comparisons of one row with the engine.', ['outcome']);
  const leading = new Map<string, boolean>();
  metrics.gauge('zun_leads', 'Whether this process leads; all together are 1 for each lease.', ['lease'], () =>
    [...leading].map(([lease, leads]) => ({ labels: { lease }, value: Number(leads) })),
  );
  let lostHosts = 0;
  metrics.gauge('zun_lost_hosts', 'Hosts that do not report or were declared down, by who looks after them; 0 elsewhere.', [], () => [
    { labels: {}, value: lostHosts },
  ]);
  let lastListing: number | null = null;
  metrics.gauge('zun_sync_last_listing_age_seconds', 'Time since the last complete listing; none before the first.', ['watch'], () =>
    lastListing === null ? [] : [{ labels: { watch: 'engine' }, value: (clock.now() - lastListing) / 1000 }],
  );
  return {
    listed(listing) {
      if (listing.outcome === 'done') lastListing = clock.now();
      listings.observe({ outcome: listing.outcome }, listing.milliseconds);
      differing.add({}, listing.differing);
    },
    eventSeen: () => events.add(),
    streamBroke: () => breaks.add(),
    leads(lease, _term, begins) {
      leading.set(lease, begins);
      if (begins) return;
      // Another lists now: the time since our last look is nobody's concern.
      if (lease.startsWith('sync')) lastListing = null;
      lostHosts = 0;
    },
    hostsLost: (count) => {
      lostHosts = count;
    },
    reconciled: (outcome) => reconciles.add({ outcome }),
  };
}
