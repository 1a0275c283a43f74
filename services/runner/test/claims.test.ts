import { encodeExecutionIds } from '@weft/proto/execution-queue';
import { EndState } from '@weft/proto/runner';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { connectNats, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { closeAfterEach, makeTestKeys, testLogger, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { config } from '../src/config';
import type { RunnerLimits } from '../src/limits';
import { createServer } from '../src/server';
import { definitionOf, doubling, FakeExecutions, node, serveExecutions } from './fake-executions';
import { deleteQueues, openQueues, queuesNamed } from './queues';
import { noPools, runnerEnv } from './runner-env';

const keys = makeTestKeys(['runner', 'executions', 'credentials']);
const queue = queuesNamed('CLAIMS');

describe('the claims of a runner', () => {
  const later = closeAfterEach();
  let executions: FakeExecutions;
  let peer: FakePeer;
  let nats: NatsConnection;
  let runner: RunningService | undefined;

  const start = async (env: Record<string, string> = {}, limits: Partial<RunnerLimits> = {}): Promise<void> => {
    const values = config.load({
      ...runnerEnv({ keys, queue, executions: peer.target }),
      OUTBOUND_ALLOW: '127.0.0.1',
      ...env,
    });
    runner = await createServer(values, testLogger(), { openPools: noPools, limits });
  };
  /** Serves requests that the test responds to. */
  const gateTo = async (take: (response: ServerResponse) => void): Promise<string> => {
    const gate = createHttpServer((_, response) => take(response));
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    later(gate, () => {
      gate.closeAllConnections();
      gate.close();
    });
    return `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`;
  };
  const announce = (...ids: string[]) =>
    publishToQueue(nats, queue, encodeExecutionIds(ids), `${ids[0]}:${Math.random()}`);

  beforeAll(async () => {
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
  });
  beforeEach(async () => {
    executions = new FakeExecutions();
    peer = await serveExecutions(executions, keys.publicKeys);
  });
  afterEach(async () => {
    await runner?.stop();
    runner = undefined;
    await peer.stop();
  });
  afterAll(async () => {
    await deleteQueues(nats, queue);
    await nats.close();
  });

  it('are repeated under the same id when their response was lost, and return what they had claimed', async () => {
    executions.lostAnswers = 2;
    await start();
    const ids = Array.from({ length: 5 }, () => executions.add(doubling));
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    expect(new Set(executions.reports.map(({ executionId }) => executionId))).toEqual(new Set(ids));
    expect([executions.won.size, executions.attempts]).toEqual([1, [0, 1, 2]]);
  });

  it('end the one run whose input is missing, and no other that was claimed with it', async () => {
    await start();
    const ids = Array.from({ length: 16 }, () => executions.add(doubling));
    const [broken = ''] = ids;
    executions.chunks.set(broken, undefined);
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    const failed = executions.reports.filter(({ endState }) => endState !== EndState.END_STATE_SUCCESS);
    expect(failed).toMatchObject([
      {
        executionId: broken,
        nodeRuns: [],
        error: { reason: 'RUN_DATA_UNREADABLE', message: expect.stringContaining(`0.input-${broken}`) },
      },
    ]);
    expect(executions.claims).toHaveLength(1);
  });

  it('end the one run whose definition is unreadable, and no other that was claimed with it', async () => {
    await start();
    const ids = Array.from({ length: 6 }, () => executions.add(doubling));
    executions.unreadable.add(ids[0] ?? '');
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    expect(executions.reports.filter(({ error }) => error !== undefined)).toMatchObject([
      { executionId: ids[0], error: { reason: 'RUN_DATA_UNREADABLE' } },
    ]);
  });

  it('are held while inputs are unavailable, and the reads are repeated', async () => {
    executions.chunksDown = 4;
    await start();
    const ids = Array.from({ length: 4 }, () => executions.add(doubling));
    for (const id of ids) executions.chunks.set(id, '{"n":21}');
    await announce(...ids);
    await until('the reports', () => executions.reports.length === ids.length);
    expect(executions.reports.map(({ endState }) => endState)).toEqual(ids.map(() => EndState.END_STATE_SUCCESS));
    expect(executions.claims).toHaveLength(1);
  });

  it('are limited to the slots, however many ids a message contains, and lose none of the rest', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const url = await gateTo((response) => {
      open += 1;
      most = Math.max(most, open);
      waiting.push(() => {
        open -= 1;
        response.end('{}');
      });
    });
    const calling = definitionOf([
      node('Start', 'manualTrigger', 1, {}),
      node('Call', 'httpRequest', 4.2, { url, options: {} }),
    ]);
    await start({ RUNNER_SLOTS: '3' });
    const ids = Array.from({ length: 14 }, () => executions.add(calling));
    await announce(...ids);
    await until('the slots are full', () => open === 3);
    await until('all have run', () => {
      // One at a time, to detect too many.
      if (executions.claims.flat().length >= 3) waiting.shift()?.();
      return executions.reports.length === ids.length;
    });
    expect(most).toBe(3);
  });

  describe('when memory is short', () => {
    const big = JSON.stringify({ n: 1, text: 'x'.repeat(2 * 1024 * 1024) });

    it('end the run that exceeds its share, and no other', async () => {
      await start({}, { runBytes: 4 * 1024 * 1024 });
      const ids = Array.from({ length: 4 }, () => executions.add(doubling));
      executions.chunks.set(ids[0] ?? '', big);
      await announce(...ids);
      await until('the reports', () => executions.reports.length === ids.length);
      expect(executions.reports.filter(({ error }) => error !== undefined)).toMatchObject([
        {
          executionId: ids[0],
          error: {
            reason: 'RUN_MEMORY_EXCEEDED',
            message: expect.stringContaining('the limit of one run is 4 MB'),
          },
        },
      ]);
    });

    it('are postponed until the memory in use is below the mark', async () => {
      let release: (() => void) | undefined;
      const url = await gateTo((response) => {
        release = () => response.end('{}');
      });
      await start({}, { processBytes: 4 * 1024 * 1024 });
      const first = executions.add(
        definitionOf([node('Start', 'manualTrigger', 1, {}), node('Call', 'httpRequest', 4.2, { url, options: {} })]),
      );
      executions.chunks.set(first, big);
      await announce(first);
      await until('the first is in its call', () => release !== undefined);
      const second = executions.add(doubling);
      // Messages requested before the memory was full may still arrive; later ones do not.
      await until('the pull under way is over', async () => {
        const info = await (await nats.jetstreamManager()).consumers.info(queue.stream, queue.consumer);
        return info.num_waiting === 0;
      });
      await announce(second);
      await until(
        'its message waits',
        async () =>
          (await (await nats.jetstreamManager()).consumers.info(queue.stream, queue.consumer)).num_pending === 1,
      );
      expect(executions.claims.flat()).not.toContain(second);
      release?.();
      await until('both have ended', () => executions.reports.length === 2);
    });
  });
});
