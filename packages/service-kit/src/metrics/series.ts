import { Counter, Histogram, type Registry } from 'prom-client';

/*
 * The library checks, sorts and joins the labels of every single event. A run has dozens of events, and a process has
 * a few hundred series. Here an event is an addition to a series that was found before, and the library writes what
 * the events came to.
 */

/** One value for each label. */
export type SeriesLabels = Readonly<Record<string, string>>;

/** A counter for one series. */
export class CounterSeries {
  value = 0;

  constructor(readonly labels: SeriesLabels) {}

  inc(by = 1): void {
    this.value += by;
  }
}

/** A histogram for one series. */
export class HistogramSeries {
  /** Count of values per bucket, not cumulative; the last bucket has no upper bound. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(
    readonly labels: SeriesLabels,
    readonly bounds: readonly number[],
  ) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (value > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    this.sum += value;
  }
}

/** Description of a metric whose series are created by their first event. */
export interface SeriesInit {
  readonly name: string;
  /** One sentence, with the unit. */
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** Finds series by label values, and creates missing ones. */
class SeriesTable<Series> {
  readonly #names: readonly string[];
  readonly #make: (labels: SeriesLabels) => Series;
  readonly #series = new Map<string, Series>();

  constructor(names: readonly string[], make: (labels: SeriesLabels) => Series) {
    this.#names = names;
    this.#make = make;
  }

  of(labels: SeriesLabels): Series {
    let key = '';
    for (const name of this.#names) key += `${labels[name]}\n`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const made = this.#make(labels);
    this.#series.set(key, made);
    return made;
  }

  all(): IterableIterator<Series> {
    return this.#series.values();
  }
}

/**
 * Creates a prom-client counter that writes these series.
 * @returns a function that finds or creates the series of labels
 */
export const createCounterSeries = (
  { name, help, labelNames }: SeriesInit,
  registry: Registry,
): ((labels: SeriesLabels) => CounterSeries) => {
  const table = new SeriesTable(labelNames, (labels) => new CounterSeries(labels));
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, value } of table.all()) this.inc(labels, value);
    },
  });
  return (labels) => table.of(labels);
};

/** A prom-client histogram that writes these series. */
class WrittenHistogram extends Histogram {
  readonly #init: SeriesInit;
  readonly #all: () => Iterable<HistogramSeries>;

  constructor(init: SeriesInit, registry: Registry, all: () => Iterable<HistogramSeries>) {
    super({ ...init, registers: [registry] });
    this.#init = init;
    this.#all = all;
  }

  /** Called by the registry, in prom-client's own format. Its types omit this method. */
  getForPromString(): Promise<object> {
    const { name, help } = this.#init;
    const values = [...this.#all()].flatMap((series) => writtenValues(name, series));
    return Promise.resolve({ name, help, type: 'histogram', values, aggregator: 'sum' });
  }
}

/** A line for each bucket, the sum and the count. */
const writtenValues = (name: string, { labels, bounds, counts, sum }: HistogramSeries): readonly object[] => {
  let count = 0;
  const lineOf = (suffix: string, value: number, own: object = {}): object => ({
    metricName: `${name}_${suffix}`,
    labels: own,
    sharedLabels: labels,
    value,
  });
  const buckets = [...counts].map((inBucket, index) => {
    count += inBucket;
    return lineOf('bucket', count, { le: bounds[index] ?? '+Inf' });
  });
  return [...buckets, lineOf('sum', sum), lineOf('count', count)];
};

/**
 * Creates a prom-client histogram that writes these series.
 * @param bounds upper bounds of the buckets, without infinity
 * @returns a function that finds or creates the series of labels
 */
export const createHistogramSeries = (
  init: SeriesInit,
  bounds: readonly number[],
  registry: Registry,
): ((labels: SeriesLabels) => HistogramSeries) => {
  const table = new SeriesTable(init.labelNames, (labels) => new HistogramSeries(labels, bounds));
  new WrittenHistogram(init, registry, () => table.all());
  return (labels) => table.of(labels);
};
