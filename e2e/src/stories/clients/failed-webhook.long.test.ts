import { borrowStack, freePorts, giveStackBack, SERVICES, type ServiceName, type Stack } from '@weft/local-stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MONITORING, readAlerts, readDashboard } from '../../deploy/monitoring';
import { root } from '../../deploy/services';
import { logLines } from '../../support/log-lines';
import { NAMESPACE, PROMETHEUS, startPrometheus, type Prometheus } from '../../support/stand-ins/prometheus';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { until } from '../../support/until';
import { chain, node } from '../../support/workflows';

const PATH = 'orders/that-fail';
const NODE = 'Refuse the order';
const MESSAGE = 'The order 17 has no address.';
/** More failures than the alert needs. */
const CALLS = 12;

const workflow = chain('Orders', [
  node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'lastNode' }),
  node('Read the order', 'set', 3.4, 200, {}),
  node(NODE, 'stopAndError', 1, 400, { errorMessage: MESSAGE }),
]);

describe('a webhook call that failed', () => {
  const begin = new Date();
  let stack: Stack;
  let rest: Rest;
  let ports: Readonly<Record<ServiceName, number>>;
  let answer: RestAnswer;
  let executionId: string;
  let workflowId: string;

  beforeAll(async () => {
    const [gateway = 0, workflows = 0, executions = 0, credentials = 0, runner = 0] = await freePorts(5);
    ports = { gateway, workflows, executions, credentials, runner };
    stack = await borrowStack({
      env: Object.fromEntries(SERVICES.map((service) => [service, { METRICS_PORT: String(ports[service]) }])),
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    workflowId = textOf(await rest('POST', '/workflows', { ...workflow, active: true }), 'id');
    answer = await callWebhook(stack.baseUrls[0] ?? '', PATH, { order: 17 }, { 'x-request-id': 'order-17' });
    executionId = answer.headers.get('x-weft-execution-id') ?? '';
  });
  afterAll(() => giveStackBack(stack));

  it('answers its sender as n8n does, with the id of the execution in a header', () => {
    expect([answer.status, answer.json.message]).toEqual([500, 'Error in workflow']);
    expect(executionId).not.toBe('');
  });

  it('names the node and the message in its execution', async () => {
    const execution = dataOf(await rest('GET', `/executions/${executionId}?includeData=false`));
    expect(execution).toMatchObject({
      status: 'error',
      workflowId,
      data: { resultData: { lastNodeExecuted: NODE, error: { message: MESSAGE, reason: 'NODE_ERROR' } } },
    });
  });

  it('is in the list of failed webhook calls of its time, and alone under its request id', async () => {
    const query = new URLSearchParams({
      status: 'error',
      mode: 'webhook',
      reason: 'NODE_ERROR',
      workflowId,
      from: begin.toISOString(),
      to: new Date(Date.now() + 1_000).toISOString(),
    });
    const found = { id: executionId, data: { resultData: { lastNodeExecuted: NODE, error: { message: MESSAGE } } } };
    expect(listOf(await rest('GET', `/executions?${query.toString()}`))).toMatchObject([found]);
    expect(listOf(await rest('GET', '/executions?requestId=order-17'))).toMatchObject([found]);
    query.set('to', begin.toISOString());
    query.set('from', new Date(begin.getTime() - 60_000).toISOString());
    expect(listOf(await rest('GET', `/executions?${query.toString()}`))).toEqual([]);
  });

  it('ends its event stream with the failed node', async () => {
    const events = listOf(await rest('GET', `/executions/${executionId}/events`));
    expect(events.map(({ type }) => type)).toEqual([
      'execution.accepted',
      'node.finished',
      'node.finished',
      'node.finished',
      'execution.ended',
    ]);
    expect(events.at(-2)).toMatchObject({ node: NODE, status: 'error', error: { message: MESSAGE } });
  });

  it('is in the logs of the gateway and of executions, as the guide about logs finds it', async () => {
    const guide = readFileSync(join(root, 'docs/guides/logs.md'), 'utf8');
    expect(guide).toContain('select(.msg == "request" and .level == 40)');
    expect(guide).toContain('select(.msg == "execution ended" and .reason)');
    const request = await until('the line of the request', async () =>
      logLines(stack, 'gateway').find(
        ({ msg, level, path }) => msg === 'request' && level === 40 && path === `/webhook/${PATH}`,
      ),
    );
    expect(request).toMatchObject({ status: 500, executionId, requestId: 'order-17' });
    const end = await until('the line of the end', async () =>
      logLines(stack, 'executions').find(
        (line) => line['msg'] === 'execution ended' && line['executionId'] === executionId,
      ),
    );
    expect(end).toMatchObject({ reason: 'NODE_ERROR', workflow: 'Orders', workflowId, node: NODE, message: MESSAGE });
  });

  // Needs the programs of Prometheus, which are set up on Debian machines only: PROMETHEUS is unset elsewhere.
  (PROMETHEUS === '' ? describe.skip : describe)('with others like it', () => {
    let prometheus: Prometheus;
    /** A query over the life of this stack instead of the last quarter of an hour. */
    const inThisTest = (query: string): string => query.replaceAll('[15m]', '[1m]').replaceAll('$namespace', NAMESPACE);
    const one = async (query: string): Promise<number> =>
      Number((await prometheus.query(inThisTest(query)))[0]?.value[1]);

    beforeAll(async () => {
      prometheus = await startPrometheus(ports, join(MONITORING, 'alerts.yaml'));
      const counted = async (): Promise<number> =>
        Math.min(
          await one('sum(weft_executions_ended_total{status="error"})'),
          await one('sum(weft_node_run_seconds_count{status="error"})'),
        );
      await until('a first scrape of both counters', async () => (await counted()) >= 1);
      for (let call = 0; call < CALLS; call += 1) await callWebhook(stack.baseUrls[0] ?? '', PATH, { call });
      await until('a scrape after the calls', async () => (await counted()) > CALLS);
    });
    afterAll(() => prometheus?.stop());

    it('fires the alert about failing workflows, whose runbook finds the kind of node and the log lines', async () => {
      const alert = readAlerts().find((each) => each.alert === 'WeftWorkflowsFailing');
      await until('the alert holds', async () => (await prometheus.query(inThisTest(alert?.expr ?? ''))).length === 1);
      const runbook = readFileSync(join(root, 'docs/operations/alerts.md'), 'utf8')
        .split('## WeftWorkflowsFailing')[1]
        ?.split('\n## ')[0];
      const queries = [...(runbook ?? '').matchAll(/`(topk\(.*?)`/g)].map(([, query = '']) => query);
      const [reasons = [], kinds = []] = await Promise.all(queries.map((each) => prometheus.query(inThisTest(each))));
      expect(reasons.map(({ metric }) => metric['reason'])).toContain('NODE_ERROR');
      expect(kinds[0]?.metric['kind']).toBe('stopAndError');
      expect(runbook).toContain('select(.msg == "execution ended" and .node)');
      // Earlier stories on this stack have failed runs too.
      const lines = logLines(stack, 'executions').filter(
        ({ msg, node: name, workflowId: of }) => msg === 'execution ended' && name !== undefined && of === workflowId,
      );
      expect(lines).toHaveLength(CALLS + 1);
      expect(new Set(lines.map(({ workflow: name, node: at, message }) => `${name}: ${at}: ${message}`))).toEqual(
        new Set([`Orders: ${NODE}: ${MESSAGE}`]),
      );
    });

    it('turns the share of failed executions red in the row that answers whether it is working', async () => {
      const panel = readDashboard('overview').panels.find(({ title }) => title === 'Executions that failed');
      const share = await until('the share of failed executions', async () => {
        const value = await one(panel?.targets[0]?.expr ?? '');
        return value > 0 ? value : undefined;
      });
      expect(share).toBeGreaterThan(0.1);
    });
  });
});
