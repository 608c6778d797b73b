import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Label values by name. */
export type Labels = Record<string, string | number>;

export interface CounterMetric {
  add(labels?: Labels, by?: number): void;
}

export interface DurationMetric {
  /** Kept in seconds, as Prometheus wants them. */
  observe(labels: Labels, milliseconds: number): void;
}

/** What a gauge that is read when asked answers. */
export interface Sample {
  labels: Labels;
  value: number;
}

/** Upper bounds in seconds: from a statement on SQLite to the pull of a large image. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** The program's measurements, in the text format of Prometheus. The only file that knows the library. */
export class Metrics {
  readonly #registry = new Registry();

  /** Memory, CPU, event loop and garbage collection of this process. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  counter(name: string, help: string, labelNames: string[] = []): CounterMetric {
    const counter = new Counter({ name, help, labelNames, registers: [this.#registry] });
    return { add: (labels = {}, by = 1) => counter.inc(labels, by) };
  }

  duration(name: string, help: string, labelNames: string[] = []): DurationMetric {
    const histogram = new Histogram({ name, help, labelNames, buckets: durationBuckets, registers: [this.#registry] });
    return { observe: (labels, milliseconds) => histogram.observe(labels, milliseconds / 1000) };
  }

  /** `read` is called at each scrape. One that throws leaves the gauge out of that scrape; the others are told all the same. */
  gauge(name: string, help: string, labelNames: string[], read: () => Promise<Sample[]> | Sample[]): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      async collect() {
        this.reset();
        const samples = await Promise.resolve()
          .then(read)
          .catch((): Sample[] => []);
        for (const { labels, value } of samples) this.set(labels, value);
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
