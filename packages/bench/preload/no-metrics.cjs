'use strict';

// Loaded before a service that is to count nothing: its series and the library for metrics do nothing.
const metrics = require('prom-client');
const { CounterSeries, HistogramSeries } = require('@weft/service-kit/metrics');

const nothing = () => undefined;
CounterSeries.prototype.inc = nothing;
HistogramSeries.prototype.observe = nothing;
metrics.collectDefaultMetrics = nothing;
