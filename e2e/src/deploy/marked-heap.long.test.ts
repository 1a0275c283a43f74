import { SERVICE_NODE_FLAGS } from '@weft/local-stack';
import { execFileSync } from 'node:child_process';

/** Allocates short-lived buffers next to a heap of live objects. Prints how often V8 marked the whole heap. */
const PROGRAM = `
const { PerformanceObserver, constants } = require('node:perf_hooks');
const { setTimeout } = require('node:timers/promises');
let marked = 0;
new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) marked += 1;
}).observe({ entryTypes: ['gc'] });
globalThis.held = Array.from({ length: 600_000 }, (_, index) => ({ index }));
const work = async () => {
  for (let round = 0; round < 3; round += 1) {
    gc();
    await setTimeout(100);
  }
  marked = 0;
  for (let index = 0; index < 4_000; index += 1) {
    globalThis.buffer = Buffer.allocUnsafeSlow(64 * 1024);
    globalThis.objects = Array.from({ length: 500 }, (_, index) => ({ index }));
    if (index % 4 === 0) await setTimeout(1);
  }
  await setTimeout(50);
  console.log(marked);
};
work();
`;

const timesMarkedOnce = (flags: readonly string[]): number => {
  const args = ['--expose-gc', '--min-semi-space-size=32', ...flags, '--eval', PROGRAM];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
};

/** The median of three programs: another process of the machine can delay one. */
const timesMarked = (flags: readonly string[]): number =>
  Array.from({ length: 3 }, () => timesMarkedOnce(flags)).toSorted((one, other) => one - other)[1] ?? NaN;

describe('the flags of Node with which a service runs', () => {
  it('mark the heap less often than Node alone alongside buffers that are soon garbage', () => {
    const byDefault = timesMarked([]);
    expect(byDefault).toBeGreaterThan(3);
    expect(timesMarked(SERVICE_NODE_FLAGS) * 1.5).toBeLessThanOrEqual(byDefault);
  });
});
