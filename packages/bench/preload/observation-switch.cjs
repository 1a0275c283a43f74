'use strict';

/*
 * Loaded before a service that is measured alternately with and without its metrics and traces: at SIGURG it stops
 * counting and recording, at SIGWINCH it resumes. Spans in progress end as they began.
 */
const tracing = require('@weft/service-kit/tracing');
const { CounterSeries, HistogramSeries } = require('@weft/service-kit/metrics');

/*
 * Read again at each call. To replace the methods at each switch would make V8 throw away the code that has them
 * inlined, and the time for compiling it again would be counted as that of observation.
 */
const isOn = Uint8Array.of(1);

const makeSwitchable = (holder, name) => {
  const original = holder[name];
  holder[name] = function (...given) {
    return isOn[0] === 1 ? original.apply(this, given) : undefined;
  };
};

makeSwitchable(CounterSeries.prototype, 'inc');
makeSwitchable(HistogramSeries.prototype, 'observe');
makeSwitchable(tracing, 'beginSpan');
makeSwitchable(tracing, 'beginPart');

process.on('SIGURG', () => {
  isOn[0] = 0;
});
process.on('SIGWINCH', () => {
  isOn[0] = 1;
});
