import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@weft/service-kit/logging';
import { until } from '@weft/service-kit/testing';
import { createChildProcess } from '../src/child/child-process';

const MIB = 1024 ** 2;
/** Reports V8's limit for the whole heap, and exits with its parent. */
const PROGRAM = `
  process.send(require('node:v8').getHeapStatistics().heap_size_limit);
  process.once('disconnect', () => process.exit(0));
`;

describe('a child process of a runner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-heap-'));
  const program = join(folder, 'program.cjs');
  const before = process.env['NODE_OPTIONS'];
  beforeAll(() => {
    writeFileSync(program, PROGRAM);
    // As set in the manifests for the runner.
    process.env['NODE_OPTIONS'] = '--max-old-space-size=464 --max-semi-space-size=16';
  });
  afterAll(() => {
    if (before === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the heap of the memory plan, including the young generation', async () => {
    const told: number[] = [];
    const child = createChildProcess<object, number>({
      program,
      heapMb: 128,
      logger: createLogger('test', 'silent'),
      servePools: () => undefined,
      tellProgressed: () => undefined,
      tellStreamed: () => undefined,
      name: 'the process',
      read: (value) => (typeof value === 'number' ? value : undefined),
      onMessage: (bytes) => told.push(bytes / MIB),
      onExit: () => undefined,
    });
    child.start();
    try {
      await until('it has told its heap', () => told.length > 0);
      expect(told).toEqual([128]);
    } finally {
      await child.stop();
    }
  });
});
