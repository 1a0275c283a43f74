import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const PACKAGE = resolve(__dirname, '../../..');

/** Counts, observes and begins spans in each state, and prints which of them were seen. */
const PROGRAM = `
  const { setTimeout } = require('node:timers/promises');
  const { createCounter, createHistogram, registry } = require('@weft/service-kit/metrics');
  const tracing = require('@weft/service-kit/tracing');
  const counter = createCounter({ name: 'weft_counted_total', help: 'Counted.', labels: {} });
  const histogram = createHistogram({ name: 'weft_seen_seconds', help: 'Seen.', labels: {}, buckets: [1] });
  const settings = {
    tracesEndpoint: 'http://127.0.0.1:9', tracesHeaders: '', tracesPercent: 100, tracesDelayMs: 5000, buildCommit: '',
  };
  const logger = { warn() {}, error() {}, info() {}, debug() {} };
  const act = async (signal) => {
    if (signal !== undefined) process.kill(process.pid, signal);
    await setTimeout(20);
    counter.inc();
    histogram.observe(0.5);
    const span = tracing.beginSpan({ name: 'x', kind: 'server' });
    const part = tracing.beginPart({ requestId: 'r', span }, { name: 'y', kind: 'client' });
    return [span !== undefined, part !== undefined];
  };
  (async () => {
    await tracing.startTracing('runner', settings, logger);
    const spans = [await act(), await act('SIGURG'), await act('SIGWINCH')];
    const text = await registry.metrics();
    const valueOf = (name) => Number(new RegExp('^' + name + ' (.*)$', 'm').exec(text)[1]);
    const [counted, seen] = [valueOf('weft_counted_total'), valueOf('weft_seen_seconds_count')];
    process.stdout.write(JSON.stringify({ spans, counted, seen }));
    process.exit(0);
  })();
`;

describe('the switch of observation', () => {
  it('ends counting and recording in a running process, and resumes both', () => {
    const args = [`--require=${resolve(PACKAGE, 'preload/observation-switch.cjs')}`, '-e', PROGRAM];
    const output = execFileSync(process.execPath, args, { cwd: PACKAGE, encoding: 'utf8', timeout: 30_000 });
    expect(JSON.parse(output)).toEqual({
      spans: [
        [true, true],
        [false, false],
        [true, true],
      ],
      counted: 2,
      seen: 2,
    });
  });
});
