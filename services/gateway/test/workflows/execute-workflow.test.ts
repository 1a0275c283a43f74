import { ServiceError, Unavailable } from '@weft/service-kit/errors';
import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('POST /api/v1/workflows/:id/execute', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const startOf = () => gateway.executions.callsOf('startExecution').at(-1);

  it('responds with 201, the id and status running, and passes the data as the input, for the user', async () => {
    const { status, json, headers } = await gateway.api('POST', '/workflows/w1/execute', {
      body: { data: { a: [1, { b: 'ü' }] } },
      headers: { 'idempotency-key': 'order 17' },
    });
    expect([status, json]).toEqual([201, { data: { executionId: 'e1', status: 'running' } }]);
    expect(headers.get('location')).toBe('/api/v1/executions/e1');
    expect(startOf()).toMatchObject({
      userId: 'user-1',
      service: 'gateway',
      request: {
        start: {
          workflowId: 'w1',
          input: Buffer.from('{"a":[1,{"b":"ü"}]}'),
          startNode: '',
          idempotencyKey: 'order 17',
          wait: 0,
          usePinData: true,
          ownerId: '',
          versionId: '',
          mode: 0,
        },
      },
    });
  });

  it.each([
    ['nothing', {}],
    ['a content type alone', { headers: { 'content-type': 'application/json' } }],
    ['an empty text', { body: '' }],
    ['an empty object', { body: {} }],
  ])('starts without input when the body is %s', async (_what, params) => {
    expect((await gateway.api('POST', '/workflows/w1/execute', params)).status).toBe(201);
    expect(startOf()).toMatchObject({ request: { start: { input: Buffer.alloc(0) } } });
  });

  it('accepts startNode and usePinData', async () => {
    await gateway.api('POST', '/workflows/w1/execute', { body: { startNode: 'Two', usePinData: false } });
    expect(startOf()).toMatchObject({ request: { start: { startNode: 'Two', usePinData: false } } });
  });

  it('runs a draft or some nodes by a separate call, which also says whose output is used again', async () => {
    const definition = { name: 'Draft', nodes: [], connections: {} };
    const body = { definition, destinationNode: 'End', reuseFrom: 'e0', startNode: 'Two', data: { a: 1 }, wait: true };
    const { status, json } = await gateway.api('POST', '/workflows/w1/execute', { body });
    expect([status, json]).toEqual([201, { data: { executionId: 'e1', status: 'success', reused: ['Start'] } }]);
    const [call] = gateway.executions.callsOf('startPartialExecution');
    expect(call).toMatchObject({
      userId: 'user-1',
      request: {
        start: { workflowId: 'w1', startNode: 'Two', usePinData: true, wait: 2, input: Buffer.from('{"a":1}') },
        definition: Buffer.from(JSON.stringify(definition)),
        destinationNode: 'End',
        reuseFrom: 'e0',
      },
    });
    expect(startOf()).toBeUndefined();
  });

  it.each([{ definition: [] }, { definition: 'x' }, { destinationNode: 1 }, { reuseFrom: null }])(
    'refuses %j',
    async (body) => {
      expect((await gateway.api('POST', '/workflows/w1/execute', { body })).status).toBe(400);
      expect(gateway.executions.callsOf('startPartialExecution')).toEqual([]);
    },
  );

  it('waits for the end if requested, within the time for the request', async () => {
    const { json } = await gateway.api('POST', '/workflows/w1/execute', { body: { wait: true } });
    expect(json.data).toEqual({ executionId: 'e1', status: 'success' });
    const seen = startOf()?.request;
    expect(seen).toMatchObject({ start: { wait: 2, waitMs: expect.any(Number) } });
  });

  it('is 404 for an unknown workflow, with its id in details', async () => {
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'WORKFLOW_NOT_FOUND',
      kind: 'not-found',
      message: 'No workflow.',
      details: { workflowId: 'w7' },
    });
    const { status, json } = await gateway.api('POST', '/workflows/w7/execute');
    expect([status, json.error]).toEqual([
      404,
      { code: 'INVALID_REQUEST', message: 'No workflow.', details: { workflowId: 'w7' } },
    ]);
  });

  it.each<[string, string, Readonly<Record<string, string>>, object]>([
    ['says that nothing was started, and names no execution', 'Away. Nothing was started.', { started: 'no' }, {}],
    [
      'names the execution, and says that it may exist',
      'Away. Whether it was started is not known: ask for the execution.',
      {},
      { started: 'unknown', executionId: expect.any(String) },
    ],
  ])('%s, as the service does', async (_what, message, details, more) => {
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'REQUEST_TIMED_OUT',
      kind: 'timeout',
      message: 'started' in details ? message : 'Away.',
      details,
    });
    const { status, json } = await gateway.api('POST', '/workflows/w1/execute');
    expect([status, json.error]).toEqual([
      503,
      { code: 'SERVICE_UNAVAILABLE', message, details: { reason: 'REQUEST_TIMED_OUT', ...details, ...more } },
    ]);
  });

  it.each([
    ['POST', '/workflows/w1/execute'],
    ['POST', '/executions/e1/retry'],
    ['POST', '/deliveries/d1/redeliver'],
  ])('says that nothing was started if the caller cannot be authenticated: %s %s', async (method, path) => {
    gateway.identity.fail('verifyApiKey', new Unavailable('Away.'));
    const { status, json } = await gateway.api(method, path, { key: KEYS.editor });
    expect([status, json.error?.details]).toEqual([503, { started: 'no' }]);
  });

  it('says that a retry may have been started if its response was lost', async () => {
    gateway.retries.fail(
      'retryExecution',
      new ServiceError({ reason: 'INTERNAL_ERROR', kind: 'internal', message: '' }),
    );
    const { status, json } = await gateway.api('POST', '/executions/e1/retry');
    expect([status, json.error?.details]).toEqual([500, { started: 'unknown' }]);
  });

  it('is 409 for an idempotency key that belongs to another request', async () => {
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
      message: 'Another request.',
    });
    const { status, json } = await gateway.api('POST', '/workflows/w1/execute', {
      headers: { 'idempotency-key': 'k' },
    });
    expect([status, json.error]).toEqual([
      409,
      { code: 'CONFLICT', message: 'Another request.', details: { reason: 'IDEMPOTENCY_KEY_REUSED' } },
    ]);
  });
});
