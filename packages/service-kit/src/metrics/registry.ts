import { Gauge, Registry } from 'prom-client';
import { createCounterSeries, createHistogramSeries, type SeriesLabels } from './series';

/**
 * The metrics of this process. There is one registry because there is one event loop and one heap; services that tests
 * run in one process share it.
 */
export const registry = new Registry();

/** The possible values of each label. These are closed lists, so no input can add a series. */
export type LabelLists = Readonly<Record<string, readonly string[]>>;

/** One value for each label. */
export type LabelValues<Lists extends LabelLists> = { readonly [Name in keyof Lists]: Lists[Name][number] };

/** Description of a metric. */
export interface MetricInit<Lists extends LabelLists> {
  readonly name: string;
  /** One sentence, with the unit. */
  readonly help: string;
  readonly labels: Lists;
}

/** A number that only grows. */
export interface CounterMetric<Lists extends LabelLists> {
  readonly inc: (labels: LabelValues<Lists>, by?: number) => void;
}

export interface HistogramMetric<Lists extends LabelLists> {
  readonly observe: (labels: LabelValues<Lists>, value: number) => void;
}

/** A value that is read whenever metrics are collected. */
export interface GaugeMetric<Lists extends LabelLists> {
  /**
   * Adds a source. If several sources have the same labels, the gauge is their sum.
   * @returns a function that removes it
   */
  readonly read: (source: () => Samples<Lists> | Promise<Samples<Lists>>) => () => void;
}

/** Values of a gauge at one moment. */
export type Samples<Lists extends LabelLists> = readonly (readonly [labels: LabelValues<Lists>, value: number])[];

/**
 * prom-client refuses a second metric of the same name. Here the later one wins, because test files reload the modules
 * of a service while this one stays.
 */
const replace = (name: string): string => {
  registry.removeSingleMetric(name);
  return name;
};

/** All combinations of the labels' values: a series that exists before its first event can be watched for a change. */
const combinationsOf = (lists: LabelLists): readonly SeriesLabels[] =>
  Object.entries(lists).reduce<readonly SeriesLabels[]>(
    (made, [name, values]) => made.flatMap((labels) => values.map((value) => ({ ...labels, [name]: value }))),
    [{}],
  );

/** Maximum number of histogram series created before their first event: each has a line for every bucket. */
const MAX_ZEROED = 40;

/** Description of a counter. */
interface CounterInit<Lists extends LabelLists> extends MetricInit<Lists> {
  /** Combinations of labels that can occur; absent: all. Only these have a series before their first event. */
  readonly occurs?: (labels: Readonly<Record<keyof Lists, string | undefined>>) => boolean;
}

/** Creates a counter; every series that can occur starts at 0. */
export function createCounter<const Lists extends LabelLists>(init: CounterInit<Lists>): CounterMetric<Lists>;
export function createCounter({
  name,
  help,
  labels,
  occurs = () => true,
}: CounterInit<LabelLists>): CounterMetric<LabelLists> {
  const seriesOf = createCounterSeries({ name: replace(name), help, labelNames: Object.keys(labels) }, registry);
  for (const series of combinationsOf(labels)) if (occurs(series)) seriesOf(series);
  return { inc: (series, by) => seriesOf(series).inc(by) };
}

/** Creates a histogram. @param buckets upper bounds, without infinity */
export function createHistogram<const Lists extends LabelLists>(
  init: MetricInit<Lists> & { readonly buckets: readonly number[] },
): HistogramMetric<Lists>;
export function createHistogram({
  name,
  help,
  labels,
  buckets,
}: MetricInit<LabelLists> & { readonly buckets: readonly number[] }): HistogramMetric<LabelLists> {
  const init = { name: replace(name), help, labelNames: Object.keys(labels) };
  const seriesOf = createHistogramSeries(init, buckets, registry);
  const series = combinationsOf(labels);
  if (series.length <= MAX_ZEROED) for (const one of series) seriesOf(one);
  return { observe: (labelled, value) => seriesOf(labelled).observe(value) };
}

/** Creates a gauge. A failing source gives no samples; the others are still shown. */
export function createGauge<const Lists extends LabelLists>(init: MetricInit<Lists>): GaugeMetric<Lists>;
export function createGauge({ name, help, labels }: MetricInit<LabelLists>): GaugeMetric<LabelLists> {
  const sources = new Set<() => Samples<LabelLists> | Promise<Samples<LabelLists>>>();
  new Gauge({
    name: replace(name),
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
    async collect() {
      const read = await Promise.allSettled([...sources].map(async (source) => source()));
      this.reset();
      for (const result of read)
        if (result.status === 'fulfilled') for (const [series, value] of result.value) this.inc(series, value);
    },
  });
  return {
    read: (source) => {
      sources.add(source);
      return () => sources.delete(source);
    },
  };
}

/** Returns a function that finds a string in a closed list; other strings map to the last entry: `other`. */
export const boundTo = <const List extends readonly [...string[], 'other']>(
  list: List,
): ((text: string) => List[number]) => {
  const known = new Map<string, List[number]>(list.map((word) => [word, word]));
  return (text) => known.get(text) ?? 'other';
};
