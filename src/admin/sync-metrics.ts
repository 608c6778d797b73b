import type { SyncObserver } from '../sync/sync-observer.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** A gauge without labels is never left out. */
const engine = { watch: 'engine' };

/** Tells whether rows follow the engine: how long ago it was listed, what its events and the comparisons came to. */
export function syncMetrics(metrics: Metrics, clock: Clock): SyncObserver {
  const listings = metrics.duration('zun_sync_listing_duration_seconds', 'Time of a complete listing of the engine.', ['cause', 'outcome']);
  const differing = metrics.counter('zun_sync_differing_total', 'Rows that a listing contradicted.');
  const events = metrics.counter('zun_sync_events_total', 'Events of the engine.', ['action']);
  const breaks = metrics.counter('zun_sync_stream_breaks_total', 'Breaks of the stream of events; a listing follows each.');
  const stream = streamMetrics(metrics, clock);
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
    lastListing === null ? [] : [{ labels: engine, value: (clock.now() - lastListing) / 1000 }],
  );
  return {
    listed(listing) {
      if (listing.outcome === 'done') lastListing = clock.now();
      const { cause, outcome } = listing;
      listings.observe({ cause, outcome }, listing.milliseconds);
      differing.add({}, listing.differing);
    },
    eventSeen(action) {
      events.add({ action });
      stream('alive');
    },
    streamMet: stream,
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

/** Tells whether the stream of events is there, and for how long nothing came of it: nothing where another process follows. */
function streamMetrics(metrics: Metrics, clock: Clock): NonNullable<SyncObserver['streamMet']> {
  const connections = metrics.counter('zun_sync_stream_connections_total', 'Connections that the stream of events was had by.');
  let isConnected: boolean | null = null;
  let lastSign: number | null = null;
  metrics.gauge('zun_sync_stream_connected', 'Whether the stream of events is there; none where another process follows.', ['watch'], () =>
    isConnected === null ? [] : [{ labels: engine, value: Number(isConnected) }],
  );
  metrics.gauge('zun_sync_stream_silence_seconds', 'Time since the stream last gave an event or a sign of life.', ['watch'], () =>
    lastSign === null ? [] : [{ labels: engine, value: (clock.now() - lastSign) / 1000 }],
  );
  return (happening) => {
    if (happening === 'left') {
      isConnected = null;
      lastSign = null;
      return;
    }
    if (happening === 'connected') connections.add();
    const isSign = happening === 'connected' || happening === 'alive';
    // Of a stream that was not there yet: since it was looked for.
    if (isSign || lastSign === null) lastSign = clock.now();
    if (happening !== 'opened') isConnected = isSign;
  };
}
