import { encodeExecutionIds } from '@weft/proto/execution-queue';
import { EndState } from '@weft/proto/runner';
import type { RunningService } from '@weft/service-kit/lifecycle';
import { connectNats, publishToQueue, type NatsConnection } from '@weft/service-kit/nats';
import { keptLog, makeTestKeys, testLogger, testNatsUrl, until, type FakePeer } from '@weft/service-kit/testing';
import { config } from '../src/config';
import { createServer } from '../src/server';
import { definitionOf, doubling, FakeExecutions, node, serveExecutions } from './fake-executions';
import { deleteQueues, openQueues, queuesNamed } from './queues';
import { runnerEnv } from './runner-env';

const keys = makeTestKeys(['runner', 'executions', 'credentials']);
const queue = queuesNamed('UNSEALED');
const { logger, lines } = keptLog('error');

describe('a runner on a system without sandboxing', () => {
  const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {};
  const executions = new FakeExecutions();
  let peer: FakePeer;
  let nats: NatsConnection;
  let runner: RunningService;

  beforeAll(async () => {
    Object.defineProperty(process, 'arch', { ...arch, value: 'riscv64' });
    nats = await connectNats({ natsUrl: testNatsUrl() }, 'test', testLogger());
    await openQueues(nats, queue);
    peer = await serveExecutions(executions, keys.publicKeys);
    runner = await createServer(config.load(runnerEnv({ keys, queue, executions: peer.target })), logger);
  });
  afterAll(async () => {
    Object.defineProperty(process, 'arch', arch);
    await runner.stop();
    await peer.stop();
    await deleteQueues(nats, queue);
    await nats.close();
  });

  const run = async (definition: object) => {
    const id = executions.add(definition);
    await publishToQueue(nats, queue, encodeExecutionIds([id]), id);
    const { endState, error } = await until('the report', () =>
      executions.reports.find(({ executionId }) => executionId === id),
    );
    return [endState, error?.message];
  };
  const single = (kind: string, version: number, parameters: object): object =>
    definitionOf([node('Start', 'manualTrigger', 1, {}), node('Node', kind, version, parameters)]);

  it('refuses code and untrusted data with instructions, runs everything else, and logs the reason once', async () => {
    expect(await run(single('code', 2, { jsCode: 'return []' }))).toEqual([
      EndState.END_STATE_ERROR,
      'Code cannot run: this runner cannot seal processes',
    ]);
    expect(await run(single('markdown', 1, { mode: 'markdownToHtml', markdown: '# a' }))).toEqual([
      EndState.END_STATE_ERROR,
      expect.stringMatching(/^The text cannot be handled: this runner cannot seal processes\. Run the runner on Linux/),
    ]);
    expect(await run(doubling)).toEqual([EndState.END_STATE_SUCCESS, undefined]);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: expect.stringContaining('Code nodes and parsers of untrusted data fail'),
        err: expect.objectContaining({ message: `No process can be sealed on ${process.platform} (riscv64).` }),
      }),
    ]);
  });
});
