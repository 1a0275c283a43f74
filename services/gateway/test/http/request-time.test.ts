import { StartWait } from '@weft/proto/executions';
import { webhookAt } from '../peers/workflows';
import { gatewaysOfEachTest, type Reply, type TestGateway } from '../support/start-gateway';

const LIMIT_MS = 2_000;
/** Part of that time reserved by the gateway for reporting the outcome of its calls. */
const MARGIN_MS = 500;

const startOf = (request: unknown): { readonly wait?: unknown; readonly waitMs?: unknown } =>
  typeof request === 'object' && request !== null && 'start' in request && typeof request.start === 'object'
    ? { ...request.start }
    : {};

describe('the time limit of a request', () => {
  const start = gatewaysOfEachTest();

  it('is longer than that of its calls, so that it can still report which of them was late', async () => {
    const { api, workflows } = await start({ REQUEST_TIME_LIMIT_MS: String(LIMIT_MS) });
    const release = workflows.hold('getWorkflow');
    const { status, json } = await api('GET', '/workflows/x');
    release();
    expect([status, json.error?.message]).toEqual([503, 'The workflows service did not answer in time.']);
    expect(workflows.callsOf('getWorkflow')[0]?.leftMs).toBeLessThanOrEqual(LIMIT_MS - MARGIN_MS);
  });

  it('is longer than a wait for the end of a run, so that it can still report that the run continues', async () => {
    const { api, executions } = await start();
    await api('POST', '/workflows/w1/execute', { body: { wait: true } });
    const [call] = executions.callsOf('startExecution');
    expect(startOf(call?.request).wait).toBe(StartWait.START_WAIT_END);
    expect(startOf(call?.request).waitMs).toBeLessThan(call?.leftMs ?? 0);
  });

  it('is longer than a wait for the response of a run, so that it can still name the run', async () => {
    const { ask, executions, workflows } = await start();
    workflows.webhooks.set('POST late', webhookAt({}, { responseMode: 'lastNode' }));
    await ask('POST', '/webhook/late', { body: {} });
    const [call] = executions.callsOf('startExecution');
    expect(startOf(call?.request).wait).toBe(StartWait.START_WAIT_RESPONSE);
    expect(startOf(call?.request).waitMs).toBeLessThan(call?.leftMs ?? 0);
  });

  it.each<[string, (gateway: TestGateway) => Promise<Reply>]>([
    ['answer', ({ ask }) => ask('POST', '/webhook/late', { body: {} })],
    ['end', ({ api }) => api('POST', '/workflows/w1/execute', { body: { wait: true } })],
  ])(
    'that runs out while it waits for the %s of a run does not count against the service that waits',
    async (_, call) => {
      const gateway = await start({ REQUEST_TIME_LIMIT_MS: String(LIMIT_MS) });
      gateway.workflows.webhooks.set('POST late', webhookAt({}, { responseMode: 'lastNode' }));
      const release = gateway.executions.hold('startExecution');
      const replies = await Promise.all(Array.from({ length: 30 }, () => call(gateway)));
      release();
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
      gateway.executions.told.answer = { statusCode: 200, headers: [], body: Buffer.from('x') };
      expect((await call(gateway)).status).toBeLessThan(300);
      expect((await gateway.api('GET', '/executions')).status).toBe(200);
    },
  );
});
