import { join } from 'node:path';
import { uuidv7 } from '@weft/service-kit/ids';
import { createLogger } from '@weft/service-kit/logging';
import { until } from '@weft/service-kit/testing';
import { createOverShareProcess, type OverShareProcess } from '../src/over-share/over-share-process';
import type { HandedOver } from '../src/domain/end/hand-over';

const runOf = (workflowId: string): HandedOver => ({
  claimed: {
    executionId: uuidv7(),
    fence: 1,
    workflowId,
    ownerId: 'owner',
    versionId: 'version',
    mode: 'manual',
    startNode: 'Start',
    input: Buffer.from('[1]'),
    inputChunkId: '',
    usePinData: false,
    checkpoint: 0,
    engineState: new Uint8Array(),
    engineStateChunkId: '',
    resume: new Uint8Array(),
    startedAt: new Date(1_000),
    responded: false,
    crashes: 0,
  },
  definition: { name: 'w', nodes: [], connections: {}, settings: {}, pinData: {}, staticData: {} },
  leaseMs: 30_000,
});

const REFUSED = { delayMs: expect.any(Number) };

describe('the process for runs with large data', () => {
  let overShare: OverShareProcess;
  let large: string[];
  let progressed: string[];
  beforeEach(() => {
    large = [];
    progressed = [];
    overShare = createOverShareProcess({
      heapMb: 64,
      maxWaiting: 2,
      onLarge: (ownerKey) => large.push(ownerKey),
      // the death of the process is logged, and is expected
      logger: createLogger('test', 'silent'),
      servePools: () => undefined,
      tellProgressed: (executionIds) => progressed.push(...executionIds),
      tellStreamed: () => undefined,
      program: join(__dirname, 'over-share-program.js'),
      answerMs: 5_000,
    });
  });
  afterEach(() => overShare.stop());

  it('accepts runs as they were claimed, or reports that it has no room', async () => {
    expect(await Promise.all(['taken', 'refused'].map((kind) => overShare.run(runOf(kind))))).toEqual([
      'taken',
      REFUSED,
    ]);
    expect(await overShare.run(runOf('taken'))).toBe('taken');
  });

  it('reports owners who still have large data', async () => {
    await overShare.run(runOf('taken'));
    await overShare.run(runOf('large'));
    await until('it has said so', () => large.length > 0);
    expect(large).toEqual(['owner of it']);
  });

  it('learns which runs are followed, and reports their progress', async () => {
    await overShare.run(runOf('taken'));
    overShare.follow(['one', 'other']);
    await until('it has said so', () => progressed.length > 0);
    expect(progressed).toEqual(['one', 'other']);
  });

  it('releases runs for longer the more of them are rejected', async () => {
    const delays: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      const outcome = await overShare.run(runOf('refused'));
      delays.push(outcome === 'taken' ? 0 : outcome.delayMs);
    }
    expect(delays[0]).toBeLessThan(7_000);
    expect(delays.at(-1)).toBeGreaterThan(30_000);
    expect(Math.max(...delays)).toBeLessThan(76_000);
  });

  it('takes no waiting run when it dies, and takes the next ones in a new process', async () => {
    expect(await Promise.all(['silent', 'deadly'].map((kind) => overShare.run(runOf(kind))))).toEqual([
      REFUSED,
      REFUSED,
    ]);
    expect(await overShare.run(runOf('taken'))).toBe('taken');
  });

  it('limits the number of waiting runs', async () => {
    const waiting = ['silent', 'silent'].map((kind) => overShare.run(runOf(kind)));
    expect(await overShare.run(runOf('taken'))).toEqual(REFUSED);
    await overShare.stop();
    expect(await Promise.all(waiting)).toEqual([REFUSED, REFUSED]);
  });

  it('accepts nothing once it is stopped', async () => {
    await overShare.run(runOf('taken'));
    await overShare.stop();
    expect(await overShare.run(runOf('taken'))).toEqual(REFUSED);
  });

  it('is abandoned for a run without a response in time', async () => {
    const impatient = createOverShareProcess({
      heapMb: 64,
      maxWaiting: 2,
      onLarge: () => undefined,
      logger: createLogger('test', 'silent'),
      servePools: () => undefined,
      tellProgressed: () => undefined,
      tellStreamed: () => undefined,
      program: join(__dirname, 'over-share-program.js'),
      answerMs: 20,
    });
    expect(await impatient.run(runOf('silent'))).toEqual(REFUSED);
    await impatient.stop();
  });
});
