export { CALL_BUCKETS, OPERATION_BUCKETS, SWEEP_BUCKETS, WAIT_BUCKETS } from './buckets';
export { noteTurn, showReady, startProcessMetrics } from './process-metrics';
export {
  boundTo,
  createCounter,
  createGauge,
  createHistogram,
  registry,
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
} from './registry';
export { serveMetrics, type MetricsServer } from './serve-metrics';
