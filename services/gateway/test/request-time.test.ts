import { StartWait } from '@weft/proto/executions';
import { webhookAt } from './peers/workflows';
import { gatewaysOfEachTest } from './start-gateway';

const LIMIT_MS = 2_000;
/** What the gateway keeps of that for telling what came of its calls. */
const MARGIN_MS = 500;

const startOf = (request: unknown): { readonly wait?: unknown; readonly waitMs?: unknown } =>
  typeof request === 'object' && request !== null && 'start' in request && typeof request.start === 'object'
    ? { ...request.start }
    : {};

describe('the time of a request', () => {
  const start = gatewaysOfEachTest();

  it('is longer than that of the calls made for it, so that it can still tell which of them was late', async () => {
    const { api, workflows } = await start({ REQUEST_TIME_LIMIT_MS: String(LIMIT_MS) });
    const release = workflows.hold('getWorkflow');
    const { status, json } = await api('GET', '/workflows/x');
    release();
    expect([status, json.error?.message]).toEqual([503, 'The workflows service did not answer in time.']);
    expect(workflows.callsOf('getWorkflow')[0]?.leftMs).toBeLessThanOrEqual(LIMIT_MS - MARGIN_MS);
  });

  it('is longer than a wait for the end of a run, so that it can still tell that the run goes on', async () => {
    const { api, executions } = await start();
    await api('POST', '/workflows/w1/execute', { body: { wait: true } });
    const [call] = executions.callsOf('startExecution');
    expect(startOf(call?.request).wait).toBe(StartWait.START_WAIT_END);
    expect(startOf(call?.request).waitMs).toBeLessThan(call?.leftMs ?? 0);
  });

  it('is longer than a wait for the answer of a run, so that it can still name the run', async () => {
    const { ask, executions, workflows } = await start();
    workflows.webhooks.set('POST late', webhookAt({}, { responseMode: 'lastNode' }));
    await ask('POST', '/webhook/late', { body: {} });
    const [call] = executions.callsOf('startExecution');
    expect(startOf(call?.request).wait).toBe(StartWait.START_WAIT_RESPONSE);
    expect(startOf(call?.request).waitMs).toBeLessThan(call?.leftMs ?? 0);
  });
});
