'use strict';

// Loaded before a service that is to count nothing: what it calls of its library for metrics does nothing.
const metrics = require('prom-client');

const nothing = () => undefined;
metrics.Counter.prototype.inc = nothing;
metrics.Histogram.prototype.observe = nothing;
metrics.Histogram.prototype.zero = nothing;
metrics.collectDefaultMetrics = nothing;
