'use strict';

/*
 * Loaded before a service that is measured with and without its metrics and traces in turns: at SIGURG it stops
 * counting and recording, at SIGWINCH it goes on. Spans that are under way end as they began.
 */
const tracing = require('@weft/service-kit/tracing');
const { CounterSeries, HistogramSeries } = require('@weft/service-kit/metrics');

const nothing = () => undefined;
const replaced = [
  [CounterSeries.prototype, 'inc'],
  [HistogramSeries.prototype, 'observe'],
  [tracing, 'beginSpan'],
  [tracing, 'beginPart'],
].map(([holder, name]) => ({ holder, name, original: holder[name] }));

process.on('SIGURG', () => {
  for (const { holder, name } of replaced) holder[name] = nothing;
});
process.on('SIGWINCH', () => {
  for (const { holder, name, original } of replaced) holder[name] = original;
});
