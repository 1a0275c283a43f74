import { Counter, Histogram, Registry } from 'prom-client';
import { createCounterSeries, createHistogramSeries } from './series';

const INIT = { name: 'weft_test', help: 'Help.', labelNames: ['kind', 'outcome'] };
const BOUNDS = [0.1, 1, 10];
const EVENTS: readonly (readonly [kind: string, outcome: string, value: number])[] = [
  ['a', 'ok', 0.05],
  ['a', 'ok', 0.1],
  ['a', 'error', 11],
  ['b', 'ok', 1],
  ['a', 'ok', 1.5],
  ['b', 'ok', 0],
  ['a "quoted"\n', 'ok', 10],
];

describe('series of a metric', () => {
  it('are written like a prom-client counter of the same events', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const seriesOf = createCounterSeries(INIT, ours);
    const counter = new Counter({ ...INIT, registers: [theirs] });
    for (const [kind, outcome, value] of EVENTS) {
      seriesOf({ kind, outcome }).inc(value);
      counter.inc({ kind, outcome }, value);
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
    expect(await ours.getMetricsAsJSON()).toEqual(await theirs.getMetricsAsJSON());
    seriesOf({ outcome: 'ok', kind: 'b' }).inc();
    expect(await ours.metrics()).toContain('weft_test{kind="b",outcome="ok"} 2');
  });

  it('are written like a prom-client histogram of the same events', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const seriesOf = createHistogramSeries(INIT, BOUNDS, ours);
    const histogram = new Histogram({ ...INIT, buckets: BOUNDS, registers: [theirs] });
    for (const [kind, outcome, value] of EVENTS) {
      seriesOf({ kind, outcome }).observe(value);
      histogram.observe({ kind, outcome }, value);
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
    // The library's lines name an exemplar that does not exist.
    expect(await ours.getMetricsAsJSON()).toMatchObject(
      JSON.parse(
        JSON.stringify(await theirs.getMetricsAsJSON(), (key, value: unknown) =>
          key === 'exemplar' ? undefined : value,
        ),
      ),
    );
  });

  it('without labels form a single series', async () => {
    const registry = new Registry();
    const seriesOf = createHistogramSeries({ ...INIT, labelNames: [] }, BOUNDS, registry);
    seriesOf({}).observe(2);
    seriesOf({}).observe(3);
    expect(await registry.metrics()).toContain('weft_test_sum 5\nweft_test_count 2\n');
  });
});
