import { ApprovalChoice, ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import { Unavailable } from '@weft/service-kit/errors';
import { DeliveryState } from '@weft/proto/deliveries';
import { deliveryOf } from '../peers/deliveries';
import { executionOf } from '../peers/executions';
import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/executions/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns the execution with its run data, unchanged', async () => {
    gateway.executions.stored.set('e1', executionOf('e1'));
    const parts = ['{"resultData":{"runData":{"Set":[{"executionIndex":0,"n":', '12345678901234567890123', '}]}}}'];
    gateway.executions.data.set('e1', parts);
    const { status, text } = await gateway.api('GET', '/executions/e1');
    expect(status).toBe(200);
    expect(text).toBe(
      '{"data":{"id":"e1","workflowId":"w1","mode":"trigger",' +
        '"startedAt":"2026-01-02T03:04:05.600Z","finishedAt":"2026-01-02T03:04:06.700Z",' +
        '"status":"success","state":"success","versionId":"v1",' +
        '"data":{"resultData":{"runData":{"Set":[{"executionIndex":0,"n":12345678901234567890123}]}}}}}',
    );
  });

  it('takes includeData, without which the data is complete', async () => {
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.executions.data.set('e1', ['{"resultData":{"runData":{}}}']);
    const dataOf = async (query: string) => JSON.parse((await gateway.api('GET', `/executions/e1${query}`)).text);
    expect(await dataOf('?includeData=true')).toEqual(await dataOf(''));
    expect(await dataOf('?includeData=true')).toMatchObject({
      data: { id: 'e1', data: { resultData: { runData: {} } } },
    });
    expect((await dataOf('?includeData=false')).data).toMatchObject({ id: 'e1', status: 'success' });
    expect((await dataOf('?includeData=false')).data.data.resultData).not.toHaveProperty('runData');
    expect((await gateway.api('GET', '/executions/e1?includeData=yes')).status).toBe(400);
  });

  it('shows the custom metadata of the run', async () => {
    gateway.executions.stored.set('e1', { ...executionOf('e1'), customDataJson: '{"customer":"c-1"}' });
    gateway.executions.data.set('e1', ['{}']);
    expect(JSON.parse((await gateway.api('GET', '/executions/e1')).text)).toMatchObject({
      data: { id: 'e1', customData: { customer: 'c-1' }, data: {} },
    });
    expect(JSON.parse((await gateway.api('GET', '/executions')).text)).toMatchObject({
      data: [{ customData: { customer: 'c-1' } }],
    });
  });

  describe('of an id without an execution', () => {
    const ID = '01975bb9-0000-7000-8000-000000000001';
    const reads = () => gateway.executions.callsOf('getExecution').map(({ request }) => request);

    it('is 404 once the id is fenced, so that nothing starts under it later', async () => {
      expect((await gateway.api('GET', `/executions/${ID}`)).status).toBe(404);
      expect(reads()).toMatchObject([
        { executionId: ID, fence: false },
        { executionId: ID, fence: true },
      ]);
    });

    it('shows a stored call that has not started yet, without fencing it', async () => {
      for (const [over, status] of [
        [{}, 'running'],
        [{ state: DeliveryState.DELIVERY_STATE_REFUSED, parked: true }, 'waiting'],
        [{ state: DeliveryState.DELIVERY_STATE_REFUSED }, 'error'],
      ] as const) {
        gateway.deliveries.stored.set(ID, deliveryOf(ID, over));
        const { json } = await gateway.api('GET', `/executions/${ID}`);
        expect(json.data).toMatchObject({ id: ID, workflowId: 'w1', mode: 'webhook', status, finishedAt: null });
      }
      expect(reads()).not.toContainEqual(expect.objectContaining({ fence: true }));
    });

    it('shows the execution of its event if another call has started that', async () => {
      gateway.executions.stored.set('e1', executionOf('e1'));
      gateway.deliveries.stored.set(
        ID,
        deliveryOf(ID, { state: DeliveryState.DELIVERY_STATE_DELIVERED, executionId: 'e1' }),
      );
      expect((await gateway.api('GET', `/executions/${ID}`)).json.data).toMatchObject({ id: 'e1' });
    });

    it('is 503, not 404, if the deliveries cannot be read', async () => {
      gateway.deliveries.fail('getDelivery', new Unavailable('Away.'));
      expect((await gateway.api('GET', `/executions/${ID}`)).status).toBe(503);
      expect(reads()).not.toContainEqual(expect.objectContaining({ fence: true }));
    });
  });

  it('names the calling execution', async () => {
    gateway.executions.stored.set('e1', { ...executionOf('e1'), parentExecutionId: 'e0' });
    gateway.executions.data.set('e1', ['{}']);
    expect(JSON.parse((await gateway.api('GET', '/executions/e1')).text)).toMatchObject({
      data: { id: 'e1', parentExecutionId: 'e0' },
    });
  });

  it('streams run data far larger than a message', async () => {
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.executions.data.set('e1', [
      '{"resultData":{"runData":{},"x":"',
      ...Array.from({ length: 60 }, () => 'x'.repeat(500_000)),
      '"}}',
    ]);
    const { status, text } = await gateway.api('GET', '/executions/e1');
    expect([status, text.length > 30_000_000]).toEqual([200, true]);
  });

  it('cuts the connection if the data breaks off, and is 503 if it does not begin', async () => {
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.executions.data.set('e1', ['{"resultData":', 'BREAK']);
    await expect(gateway.api('GET', '/executions/e1')).rejects.toThrow();
    gateway.executions.fail('readExecutionData', new Unavailable('Away.'));
    expect((await gateway.api('GET', '/executions/e1')).status).toBe(503);
  });
});

describe('GET /api/v1/executions/:id/binary/:fileId', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.executions.stored.set('e1', executionOf('e1'));
  });
  afterEach(() => gateway.stop());
  const path = '/executions/e1/binary/e1.1.file-a';
  const download = (key: string = KEYS.owner) =>
    fetch(`http://127.0.0.1:${gateway.port}/api/v1${path}`, { headers: { 'x-svc-api-key': key } });

  it('returns the bytes unchanged, as a download that browsers do not run', async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13]);
    gateway.executions.files.set('e1.1.file-a', [
      { data: bytes, mimeType: 'text/html', fileName: 'Übersicht "1".html' },
      { data: bytes },
    ]);
    const response = await download(KEYS.viewer);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat([bytes, bytes]));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-disposition':
        'attachment; filename="_bersicht _1_.html"; ' + "filename*=UTF-8''%C3%9Cbersicht%20%221%22.html",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['no type', undefined],
    ['a type that would add a header', 'text/html\r\nx-evil: 1'],
    ['a type with parameters', 'text/html; charset=utf-7'],
  ])('reports bytes for %s', async (_, mimeType) => {
    gateway.executions.files.set('e1.1.file-a', [
      mimeType === undefined ? { data: Buffer.from('x') } : { data: Buffer.from('x'), mimeType },
    ]);
    const response = await download();
    expect([
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
      await response.text(),
    ]).toEqual(['application/octet-stream', 'attachment', 'x']);
  });

  it('never accepts a path as a name', async () => {
    gateway.executions.files.set('e1.1.file-a', [
      { data: Buffer.from('x'), mimeType: 'text/plain', fileName: '..\\..\\etc/passwd\n' },
    ]);
    expect((await download()).headers.get('content-disposition')).toBe(
      `attachment; filename="passwd"; filename*=UTF-8''passwd`,
    );
  });

  it('cuts the connection if the file breaks off', async () => {
    gateway.executions.files.set('e1.1.file-a', [
      { data: Buffer.alloc(100_000), mimeType: 'text/plain' },
      { data: Buffer.from('BREAK') },
    ]);
    await expect(download().then((response) => response.arrayBuffer())).rejects.toThrow();
  });

  it('is 404 for an unknown execution, and 400 for an invalid reference', async () => {
    expect((await gateway.api('GET', '/executions/e9/binary/e9.1.file-a')).status).toBe(404);
    expect((await gateway.api('GET', `/executions/e1/binary/${'x'.repeat(300)}`)).status).toBe(400);
  });
});

describe('POST /api/v1/executions/:id/approvals/:run', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.executions.stored.set('e1', {
      ...executionOf('e1'),
      approvals: [
        {
          run: '3',
          node: 'Pay',
          tool: 'pay',
          input: '{"amount":5}',
          requestedAt: new Date(1_000),
          expiresAt: new Date(2_000),
        },
      ],
    });
  });
  afterEach(() => gateway.stop());

  it('decides about a call that the execution lists', async () => {
    const { json } = await gateway.api('GET', '/executions/e1?includeData=false');
    expect(json).toMatchObject({
      data: {
        approvals: [
          {
            run: '3',
            node: 'Pay',
            tool: 'pay',
            input: { amount: 5 },
            requestedAt: '1970-01-01T00:00:01.000Z',
            expiresAt: '1970-01-01T00:00:02.000Z',
          },
        ],
      },
    });
    const decided = await gateway.api('POST', '/executions/e1/approvals/3', {
      body: { decision: 'reject', message: 'no' },
    });
    expect([decided.status, decided.json]).toMatchObject([200, { data: { id: 'e1' } }]);
    expect(gateway.executions.callsOf('decideApproval')).toMatchObject([
      { request: { executionId: 'e1', run: '3', choice: ApprovalChoice.APPROVAL_CHOICE_REJECT, message: 'no' } },
    ]);
  });

  it('refuses a body without a decision', async () => {
    const { status, json } = await gateway.api('POST', '/executions/e1/approvals/3', { body: { message: 'no' } });
    expect([status, json.error?.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(gateway.executions.callsOf('decideApproval')).toEqual([]);
  });
});

describe('POST /api/v1/executions/:id/replies/:run', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    const messages = [{ author: 'assistant', text: 'May I?' }];
    const buttons = [{ label: 'Yes', approves: true, style: 'primary' }];
    gateway.executions.stored.set('e1', {
      ...executionOf('e1'),
      reply: { run: '3', chat: { messages, since: 0, buttons, blocksText: true, endsAtMs: 2_000 } },
    });
  });
  afterEach(() => gateway.stop());

  it('replies to the message that the execution shows', async () => {
    const { json } = await gateway.api('GET', '/executions/e1?includeData=false');
    expect(json).toMatchObject({
      data: {
        reply: {
          run: '3',
          messages: [{ author: 'assistant', text: 'May I?' }],
          buttons: [{ label: 'Yes', approves: true, style: 'primary' }],
          blocksText: true,
          expiresAt: '1970-01-01T00:00:02.000Z',
        },
      },
    });
    for (const body of [{ approved: true }, { text: 'Later' }])
      expect((await gateway.api('POST', '/executions/e1/replies/3', { body })).status).toBe(200);
    expect(gateway.executions.callsOf('replyToChat').map(({ request }) => request)).toEqual([
      { executionId: 'e1', run: '3', reply: { $case: 'approved', value: true } },
      { executionId: 'e1', run: '3', reply: { $case: 'text', value: 'Later' } },
    ]);
  });

  it.each([{}, { text: 'x', approved: true }, { text: 1 }])('refuses the body %#', async (body) => {
    expect((await gateway.api('POST', '/executions/e1/replies/3', { body })).status).toBe(400);
    expect(gateway.executions.callsOf('replyToChat')).toEqual([]);
  });
});

describe('POST /api/v1/executions/:id/cancel', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns the execution with the reason of its end, as in lists', async () => {
    const failure = { reason: 'CANCELLED', message: 'The execution was cancelled.', node: '', errorJson: '' };
    gateway.executions.stored.set('e1', {
      ...executionOf('e1'),
      state: ExecutionState.EXECUTION_STATE_CANCELLED,
      status: ExecutionStatus.EXECUTION_STATUS_ERROR,
      error: failure,
    });
    const { status, json } = await gateway.api('POST', '/executions/e1/cancel');
    expect([status, json]).toMatchObject([
      200,
      { data: { id: 'e1', status: 'error', data: { resultData: { error: { reason: 'CANCELLED' } } } } },
    ]);
    expect(gateway.executions.callsOf('cancelExecution')).toMatchObject([{ request: { executionId: 'e1' } }]);
  });

  it('is 404 for an unknown id, with the id in details', async () => {
    const { status, json } = await gateway.api('POST', '/executions/e2/cancel');
    expect([status, json.error?.details]).toEqual([404, { executionId: 'e2' }]);
  });
});

describe('DELETE /api/v1/executions/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('reports success and does not affect other executions; 404 when repeated', async () => {
    for (const id of ['e1', 'e2']) gateway.executions.stored.set(id, executionOf(id));
    const { status, json } = await gateway.api('DELETE', '/executions/e1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    expect([...gateway.executions.stored.keys()]).toEqual(['e2']);
    const again = await gateway.api('DELETE', '/executions/e1');
    expect([again.status, again.json.error?.details]).toEqual([404, { executionId: 'e1' }]);
  });
});
