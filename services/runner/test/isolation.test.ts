import { encodeExecutionIds } from '@weft/proto/execution-queue';
import { createLogger } from '@weft/service-kit/logging';
import { closeNats, connectNats, publishToQueue } from '@weft/service-kit/nats';
import { testLogger, testNatsUrl, until } from '@weft/service-kit/testing';
import { join } from 'node:path';
import { createIsolation, type Isolation } from '../src/isolation/isolation';
import { pullWork } from '../src/messaging/pull-work';
import type { EndedTurn } from '../src/watchdog/ended-turn';
import { deleteQueues, openQueues, queuesNamed } from './queues';

/** Thirty of them are more than a process takes to start on a busy machine. */
const PING_MS = 50;

describe('the processes for isolated runs', () => {
  let isolation: Isolation;
  const ids: string[] = [];
  const died: string[] = [];
  const turns: (EndedTurn | undefined)[] = [];
  const open = (processes: number, pingMs = PING_MS): void => {
    isolation = createIsolation({
      heapMb: 64,
      processes,
      // their deaths are logged, and are expected
      logger: createLogger('test', 'silent'),
      servePools: () => undefined,
      tellProgressed: () => undefined,
      tellStreamed: () => undefined,
      program: join(__dirname, 'isolation-program.js'),
      pingMs,
      createId: () => {
        ids.push(`r.1.${ids.length}`);
        return ids.at(-1) ?? '';
      },
      onDied: (id, turn) => {
        died.push(id);
        turns.push(turn);
      },
    });
  };
  afterEach(() => isolation.stop());

  it('are killed when a run blocks their thread, and another one takes the waiting runs', async () => {
    open(1);
    const endless = isolation.run('endless');
    const next = isolation.run('next');
    expect([await endless, await next]).toEqual([true, true]);
  });

  it('stay as long as they respond', async () => {
    open(1);
    expect(await isolation.run('first')).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, PING_MS * 60));
    expect(await isolation.run('second')).toBe(true);
  });

  it('begin a run in an empty process, else where there are fewest', async () => {
    open(2);
    const answers = [];
    for (const id of ['long', 'beside 0', 'long', 'beside 1', 'long', 'beside 1', 'long', 'beside 2'])
      answers.push([id, await isolation.run(id)]);
    expect(answers.filter(([, isAnswered]) => isAnswered !== true)).toEqual([]);
  });

  it('know of runs that were announced as followed shortly before they started', async () => {
    open(1);
    isolation.follow(['a']);
    isolation.follow(['b']);
    expect(await isolation.run('followed a')).toBe(true);
    expect(await isolation.run('followed b')).toBe(true);
    expect(await isolation.run('followed c')).toBe(false);
  });

  it('are independent: one dies, and the waiting runs begin in the next empty one', async () => {
    open(2);
    await isolation.run('long');
    const answers = await Promise.all(['deadly', 'beside 0', 'beside 0'].map((id) => isolation.run(id)));
    expect(answers).toEqual([false, true, true]);
  });

  it('are not shared by a run whose process has died before, as long as others may end', async () => {
    open(1);
    expect(await isolation.run('deadly')).toBe(false);
    expect(await isolation.run('long')).toBe(true);
    const again = isolation.run('deadly');
    expect(await isolation.run('beside 1')).toBe(true);
    await isolation.stop();
    expect(await again).toBe(false);
  });

  it('may be shared by a run whose process stopped without having died', async () => {
    open(1);
    expect(await isolation.run('done')).toBe(true);
    expect(await isolation.run('long')).toBe(true);
    // A run whose process had died would wait for ten seconds.
    expect(await isolation.run('done')).toBe(true);
  });

  it('are ended by their watchdogs, whose reports name the run and its node', async () => {
    open(1, 60_000);
    turns.length = 0;
    expect(await isolation.run('blocked')).toBe(true);
    await until('the end of the process', () => turns.length > 0, 20_000);
    const run = { executionId: 'blocked', workflowId: 'w', versionId: 'v', ownerKey: 'owner o', node: 'Blocks' };
    expect(turns).toEqual([{ ms: expect.any(Number), run }]);
    expect(await isolation.run('deadly')).toBe(false);
    await until('its end', () => turns.length > 1);
    expect(turns[1]).toBeUndefined();
  }, 30_000);

  it('are reported under their id when they have died, and not when they have stopped', async () => {
    open(1);
    died.length = 0;
    const before = ids.length;
    expect(await isolation.run('deadly')).toBe(false);
    await until('the death is reported', () => died.length > 0);
    expect(died).toEqual([ids[before]]);
    expect(await isolation.run('first')).toBe(true);
    await isolation.stop();
    expect(died).toHaveLength(1);
  });

  it('leave runs without a place in the queue, for other runners', async () => {
    open(2);
    const queues = queuesNamed('ISOLATION');
    const nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queues);
    const queue = { ...queues.isolated, replicas: 1 };
    for (let n = 10; n < 30; n += 1) {
      const id = `00000000-0000-7000-8000-0000000000${n}`;
      await publishToQueue(nats, queue, encodeExecutionIds([id]), id);
    }
    const puller = pullWork(nats, queue, isolation.places, () => true, isolation.take, testLogger());
    const counts = async (): Promise<readonly number[]> => {
      const { consumers } = await nats.jetstreamManager();
      const { delivered, ack_floor, num_ack_pending, num_pending } = await consumers.info(queue.stream, queue.consumer);
      return [Math.min(delivered.stream_seq, ack_floor.stream_seq), num_ack_pending, num_pending];
    };
    try {
      // two run, four wait
      await until('its places are taken', async () => (await counts()).join() === '2,4,14', 20_000);
      await isolation.stop();
      await until('what waited is returned', () => isolation.places.free() === 4);
    } finally {
      await puller.stop();
      await deleteQueues(nats, queues);
      await closeNats(nats);
    }
  });
});
