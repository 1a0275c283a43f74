import { join } from 'node:path';
import { uuidv7 } from '@weft/service-kit/ids';
import { createLogger } from '@weft/service-kit/logging';
import { until } from '@weft/service-kit/testing';
import { createHeavyProcess, type HeavyProcess } from '../src/heavy/heavy-process';
import type { HandedOver } from '../src/domain/settle/hand-over';

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
  let heavy: HeavyProcess;
  let large: string[];
  beforeEach(() => {
    large = [];
    heavy = createHeavyProcess({
      heapMb: 64,
      maxWaiting: 2,
      onLarge: (ownerKey) => large.push(ownerKey),
      // the death of the process is reported, and is what a test wants
      logger: createLogger('test', 'silent'),
      servePools: () => undefined,
      program: join(__dirname, 'heavy-program.js'),
      answerMs: 5_000,
    });
  });
  afterEach(() => heavy.stop());

  it('takes runs as they were claimed, or says that it has no room', async () => {
    expect(await Promise.all(['taken', 'refused'].map((kind) => heavy.run(runOf(kind))))).toEqual(['taken', REFUSED]);
    expect(await heavy.run(runOf('taken'))).toBe('taken');
  });

  it('says which owners still have large data', async () => {
    await heavy.run(runOf('taken'));
    await heavy.run(runOf('large'));
    await until('it has said so', () => large.length > 0);
    expect(large).toEqual(['owner of it']);
  });

  it('releases runs for the longer the more of them find no room', async () => {
    const delays: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      const outcome = await heavy.run(runOf('refused'));
      delays.push(outcome === 'taken' ? 0 : outcome.delayMs);
    }
    expect(delays[0]).toBeLessThan(7_000);
    expect(delays.at(-1)).toBeGreaterThan(30_000);
    expect(Math.max(...delays)).toBeLessThan(76_000);
  });

  it('takes no run that waits when it dies, and takes the next ones in a new process', async () => {
    expect(await Promise.all(['silent', 'deadly'].map((kind) => heavy.run(runOf(kind))))).toEqual([REFUSED, REFUSED]);
    expect(await heavy.run(runOf('taken'))).toBe('taken');
  });

  it('lets only so many wait', async () => {
    const waiting = ['silent', 'silent'].map((kind) => heavy.run(runOf(kind)));
    expect(await heavy.run(runOf('taken'))).toEqual(REFUSED);
    await heavy.stop();
    expect(await Promise.all(waiting)).toEqual([REFUSED, REFUSED]);
  });

  it('takes nothing once it is stopped', async () => {
    await heavy.run(runOf('taken'));
    await heavy.stop();
    expect(await heavy.run(runOf('taken'))).toEqual(REFUSED);
  });

  it('is given up on for a run that it does not answer in time', async () => {
    const impatient = createHeavyProcess({
      heapMb: 64,
      maxWaiting: 2,
      onLarge: () => undefined,
      logger: createLogger('test', 'silent'),
      servePools: () => undefined,
      program: join(__dirname, 'heavy-program.js'),
      answerMs: 20,
    });
    expect(await impatient.run(runOf('silent'))).toEqual(REFUSED);
    await impatient.stop();
  });
});
