import { monitorEventLoopDelay, type Histogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const SECONDS = 1e-9;

/** The prom-client metrics that its own sampling would fill. */
const FIGURES: readonly { readonly name: string; readonly of: string; readonly read: (lag: Histogram) => number }[] = [
  { name: 'min', of: 'minimum', read: (lag) => lag.min },
  { name: 'max', of: 'maximum', read: (lag) => lag.max },
  { name: 'mean', of: 'mean', read: (lag) => lag.mean },
  { name: 'stddev', of: 'standard deviation', read: (lag) => lag.stddev },
  { name: 'p50', of: '50th percentile', read: (lag) => lag.percentile(50) },
  { name: 'p90', of: '90th percentile', read: (lag) => lag.percentile(90) },
  { name: 'p99', of: '99th percentile', read: (lag) => lag.percentile(99) },
];

/**
 * Replaces prom-client's sampling, which wakes an idle process a hundred times a second, by one sample per iteration of
 * the event loop.
 */
export const measureEventLoopLag = (registry: Registry): void => {
  const lag = monitorEventLoopDelay({ samplePerIteration: true });
  lag.enable();
  // The first sample would include the time in which the loop was idle.
  setImmediate(() => lag.reset());
  const gauges = FIGURES.map(({ name, of, read }, index) => {
    const metric = `nodejs_eventloop_lag_${name}_seconds`;
    registry.removeSingleMetric(metric);
    const gauge = new Gauge({
      name: metric,
      help: `The ${of} of the times that iterations of the event loop took since the metrics were last read.`,
      registers: [registry],
      // The first gauge that is collected reads for all of them.
      ...(index === 0 ? { collect: () => readAll() } : {}),
    });
    return { gauge, read };
  });
  const readAll = (): void => {
    for (const { gauge, read } of gauges) gauge.set(lag.count === 0 ? 0 : read(lag) * SECONDS);
    lag.reset();
  };
};
