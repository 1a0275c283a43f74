import { borrowStack, freePorts, giveStackBack, SERVICES, type ServiceName, type Stack } from '@weft/local-stack';
import { randomBytes } from 'node:crypto';
import { logLines } from '../../support/log-lines';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, restClient, textOf } from '../../support/rest';
import { startTraceReceiver, type ReceivedSpan, type TraceReceiver } from '../../support/stand-ins/trace-receiver';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

const PATH = 'traces/orders';
/** Data of users, which no span may contain. */
const CANARIES = [
  'canary-body-71',
  'canary-query-72',
  'canary-header-73',
  'canary-secret-74',
  'canary-path-75',
] as const;
const [BODY, QUERY, HEADER, SECRET, URL_PATH] = CANARIES;

const workflow = (url: string, credentialId: string): WorkflowFile => ({
  name: 'traced',
  nodes: [
    node('Order', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'lastNode' }),
    node(
      'Call',
      'httpRequest',
      4.2,
      200,
      {
        method: 'POST',
        url: `${url}${URL_PATH}?q=${QUERY}`,
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '={{ JSON.stringify($json.body) }}',
        options: {},
      },
      { credentials: { httpHeaderAuth: { id: credentialId, name: 'Key' } } },
    ),
  ],
  connections: connect({ Order: [['Call']] }),
  settings: { executionOrder: 'v1' },
});

const RECEIVED_PATH = 'traces/received';
/** Answers before it has run: concurrent starts are sent to executions together. */
const receivedWorkflow: WorkflowFile = {
  name: 'received',
  nodes: [
    node('Order', 'webhook', 2, 0, { httpMethod: 'POST', path: RECEIVED_PATH, responseMode: 'onReceived' }),
    node('Next', 'noOp', 1, 200, {}),
  ],
  connections: connect({ Order: [['Next']] }),
  settings: { executionOrder: 'v1' },
};

const BROKEN_PATH = 'traces/broken';
const brokenWorkflow = (url: string): WorkflowFile => ({
  name: 'broken',
  nodes: [
    node('Order', 'webhook', 2, 0, { httpMethod: 'POST', path: BROKEN_PATH, responseMode: 'lastNode' }),
    node('Call', 'httpRequest', 4.2, 200, { url, options: {} }),
  ],
  connections: connect({ Order: [['Call']] }),
  settings: { executionOrder: 'v1' },
});

/** A port without a listener. */
const closedPort = async (): Promise<number> => {
  const [port = 0] = await freePorts(1);
  return port;
};

/** A `traceparent` of a caller. */
const newTrace = (flags: '00' | '01') => {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, header: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
};

describe('traces', () => {
  let stack: Stack;
  let target: LocalServer;
  let receiver: TraceReceiver;
  let workflowId: string;
  beforeAll(async () => {
    target = await startLocalServer({ ok: true });
    receiver = await startTraceReceiver();
    const all = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACES_PERCENT: '100', OTEL_BSP_SCHEDULE_DELAY: '200' };
    const env = Object.fromEntries(SERVICES.map((service) => [service, all]));
    stack = await borrowStack({ env: { ...env, runner: { ...all, OUTBOUND_TRACE_HOSTS: '127.0.0.1' } } });
    const rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = { name: 'Key', type: 'httpHeaderAuth', data: { name: 'x-key', value: SECRET } };
    const credentialId = textOf(await rest('POST', '/credentials', credential), 'id');
    const created = await rest('POST', '/workflows', { ...workflow(target.url, credentialId), active: true });
    workflowId = textOf(created, 'id');
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await receiver.stop();
    await target.stop();
  });

  const call = (header: Readonly<Record<string, string>>) =>
    callWebhook(stack.baseUrls[0] ?? '', PATH, { text: BODY }, { 'x-canary': HEADER, ...header });
  const spanNamed = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`No span ${name} among ${spans.map((span) => span.name).join(', ')}.`);
    return found;
  };
  /** Names from a span up to the first of its trace. */
  const ancestry = (spans: readonly ReceivedSpan[], from: ReceivedSpan): readonly string[] => {
    const parent = spans.find(({ spanId }) => spanId === from.parentSpanId);
    return [from.name, ...(parent === undefined ? [] : ancestry(spans, parent))];
  };
  /**
   * The spans of a trace, once a matching one has arrived with all its ancestors. Each process sends ended spans on its
   * own schedule, so the spans in between may arrive last.
   */
  const spansUpFrom = (traceId: string, matches: (span: ReceivedSpan) => boolean): Promise<readonly ReceivedSpan[]> =>
    until(`the spans of ${traceId} have arrived, up to the webhook`, async () => {
      const found = receiver.spansOf(traceId);
      const from = found.find(matches);
      return from !== undefined && ancestry(found, from).at(-1) === 'POST /webhook/*' && found;
    });

  it('lead from a webhook through every process to the request of a node, which is told', async () => {
    const { traceId, spanId, header } = newTrace('01');
    expect((await call(header)).status).toBe(200);
    const told = target.requests.at(-1)?.traceparent ?? '';
    await spansUpFrom(traceId, ({ spanId: id }) => told.includes(id));
    const spans = await until('the spans of all processes have arrived', async () => {
      const found = receiver.spansOf(traceId);
      return new Set(found.map(({ service }) => service)).size === SERVICES.length && found;
    });
    const first = spanNamed(spans, 'POST /webhook/*');
    expect(first).toMatchObject({ service: 'gateway', parentSpanId: spanId, isError: false });
    expect(first.attributes).toMatchObject({ 'http.route': '/webhook/*', 'http.response.status_code': 200 });
    const request = spans.find((span) => told.includes(span.spanId));
    expect(told).toBe(`00-${traceId}-${request?.spanId ?? ''}-01`);
    expect(request?.attributes).toMatchObject({ 'http.request.method': 'POST', 'server.address': '127.0.0.1' });
    expect(request && ancestry(spans, request)).toEqual([
      'POST',
      'node httpRequest',
      'run execution',
      'weft.executions.v1.ExecutionService/StartExecution',
      'weft.executions.v1.ExecutionService/StartExecution',
      'POST /webhook/*',
    ]);
    expect(spanNamed(spans, 'run execution').attributes).toMatchObject({
      'weft.workflow.id': workflowId,
      'weft.execution.attempt': 1,
      'weft.execution.result': 'success',
    });
  });

  it('hold nothing of what users send or store', () => {
    const sent = receiver.received().toString('latin1');
    expect(sent).toContain('node httpRequest');
    for (const canary of CANARIES) expect(sent).not.toContain(canary);
  });

  it('are recorded if their caller records them, and passed on if not', async () => {
    const unsampled = newTrace('00');
    expect((await call(unsampled.header)).status).toBe(200);
    const told = target.requests.at(-1)?.traceparent;
    const after = newTrace('01');
    expect((await call(after.header)).status).toBe(200);
    await until('the spans of the next call have arrived', async () =>
      receiver.spansOf(after.traceId).some(({ name }) => name === 'run execution'),
    );
    expect(receiver.spansOf(unsampled.traceId)).toEqual([]);
    expect(told).toMatch(new RegExp(`^00-${unsampled.traceId}-[0-9a-f]{16}-00$`));
  });

  it('and logs lead from the id of a failed request to its execution', async () => {
    const [baseUrl = ''] = stack.baseUrls;
    const rest = restClient(baseUrl, stack.apiKey);
    const nobody = `http://127.0.0.1:${await closedPort()}/`;
    const id = textOf(await rest('POST', '/workflows', { ...brokenWorkflow(nobody), active: true }), 'id');
    const requestId = `failed-${randomBytes(4).toString('hex')}`;
    const answer = await callWebhook(baseUrl, BROKEN_PATH, {}, { 'x-request-id': requestId });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([500, requestId]);

    const linesOf = (service: ServiceName) =>
      logLines(stack, service).filter((line) => line['requestId'] === requestId);
    const line = await until('the gateway has logged the request', async () =>
      linesOf('gateway').find(({ msg }) => msg === 'request'),
    );
    expect(line).toMatchObject({ status: 500, path: `/webhook/${BROKEN_PATH}` });
    const executionId = String(line['executionId']);
    expect([line['level'], answer.headers.get('x-weft-execution-id')]).toEqual([40, executionId]);
    const end = await until('executions has logged the end', async () =>
      linesOf('executions').find((each) => each['executionId'] === executionId && each['status'] === 'error'),
    );
    expect(end).toMatchObject({
      msg: 'execution ended',
      workflowId: id,
      reason: 'NODE_ERROR',
      workflow: brokenWorkflow(nobody).name,
      node: 'Call',
      message: expect.stringMatching(/refused/i),
      ms: expect.any(Number),
    });
    const execution = await rest('GET', `/executions/${executionId}`);
    expect(execution.json.data).toMatchObject({ id: executionId, workflowId: id, status: 'error' });
    const run = await until('the span of the run has arrived', async () =>
      receiver.spans.find((span) => span.name === 'run execution' && span.attributes['weft.request.id'] === requestId),
    );
    expect(run).toMatchObject({ isError: true, attributes: { 'weft.execution.id': executionId } });
    const failed = receiver.spansOf(run.traceId).find((span) => span.name === 'node httpRequest');
    expect(failed?.isError).toBe(true);
  });

  it('and logs belong to the request that started a run, also where starts are sent together', async () => {
    const [baseUrl = ''] = stack.baseUrls;
    const rest = restClient(baseUrl, stack.apiKey);
    const id = textOf(await rest('POST', '/workflows', { ...receivedWorkflow, active: true }), 'id');
    const calls = Array.from({ length: 6 }, (_, index) => ({
      requestId: `received-${randomBytes(4).toString('hex')}`,
      ...newTrace(index % 2 === 0 ? '01' : '00'),
    }));
    const answers = await Promise.all(
      calls.map(({ requestId, header }) =>
        callWebhook(baseUrl, RECEIVED_PATH, {}, { 'x-request-id': requestId, ...header }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
    for (const { requestId, traceId, header } of calls) {
      const end = await until('executions has logged the end', async () =>
        logLines(stack, 'executions').find((line) => line['requestId'] === requestId && line['status'] === 'success'),
      );
      expect(end).toMatchObject({ msg: 'execution ended', workflowId: id });
      if (header.traceparent.endsWith('00')) continue;
      const spans = await spansUpFrom(traceId, ({ name }) => name === 'run execution');
      const run = spanNamed(spans, 'run execution');
      expect(run.attributes).toMatchObject({ 'weft.request.id': requestId });
      expect(ancestry(spans, run)).toEqual(['run execution', 'start execution', 'POST /webhook/*']);
    }
    const unsampled = calls.filter(({ header }) => header.traceparent.endsWith('00'));
    expect(unsampled.flatMap(({ traceId }) => receiver.spansOf(traceId))).toEqual([]);
    const ids = unsampled.map(({ requestId }) => requestId);
    expect(receiver.spans.filter(({ attributes }) => ids.includes(String(attributes['weft.request.id'])))).toEqual([]);
  });

  it('are begun by a request without one', async () => {
    expect((await call({})).status).toBe(200);
    const told = target.requests.at(-1)?.traceparent ?? '';
    const [, traceId = ''] = told.split('-');
    const spans = await until('the span of the request has arrived', async () => {
      const found = receiver.spansOf(traceId);
      return found.some(({ name }) => name === 'POST /webhook/*') && found;
    });
    expect(spanNamed(spans, 'POST /webhook/*').parentSpanId).toBe('');
  });
});
