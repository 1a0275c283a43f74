export { CALL_BUCKETS, OPERATION_BUCKETS, SWEEP_BUCKETS, WAIT_BUCKETS } from './buckets';
export { noteTurn, showReady, startProcessMetrics } from './process-metrics';
export { boundTo, createCounter, createGauge, createHistogram, registry } from './registry';
export { serveMetrics, type ProbedState } from './serve-metrics';
export { CounterSeries, createCounterSeries, createHistogramSeries, HistogramSeries } from './series';
