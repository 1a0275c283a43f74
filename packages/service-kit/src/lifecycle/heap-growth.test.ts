import { execFileSync } from 'node:child_process';

/** Works slowly beside a heap of objects, with buffers that are soon garbage. Prints how often all of it was marked. */
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

const timesMarked = (before: string): number => {
  const flags = ['--expose-gc', '--min-semi-space-size=32', '--eval', `${before}\n${PROGRAM}`];
  return Number(execFileSync(process.execPath, flags, { encoding: 'utf8' }));
};

describe('the heap of a service', () => {
  it('is marked less often than by V8 itself beside buffers that are soon garbage', () => {
    const path = JSON.stringify(require.resolve('./heap-growth'));
    const byItself = timesMarked('');
    expect(byItself).toBeGreaterThan(3);
    expect(timesMarked(`require(${path}).letHeapGrow();`) * 1.5).toBeLessThanOrEqual(byItself);
  });
});
