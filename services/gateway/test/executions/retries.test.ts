import { RetryFrom, RetryVersion } from '@weft/proto/retries';
import { ServiceError } from '@weft/service-kit/errors';
import { executionOf } from '../peers/executions';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('POST /api/v1/executions/:id/retry', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it(
    'responds with 201, the new execution and its address; from the failed node and with the original version ' +
      'unless told otherwise',
    async () => {
      const { status, json, headers } = await gateway.api('POST', '/executions/failed/retry');
      expect([status, json, headers.get('location')]).toEqual([
        201,
        { data: { executionId: 'again', retryOf: 'failed', status: 'running' } },
        '/api/v1/executions/again',
      ]);
      await gateway.api('POST', '/executions/failed/retry', {
        body: { from: 'start', version: 'current' },
        headers: { 'idempotency-key': 'k' },
      });
      expect(gateway.retries.callsOf('retryExecution')).toMatchObject([
        {
          userId: 'user-1',
          request: {
            executionId: 'failed',
            options: { from: RetryFrom.RETRY_FROM_FAILED_NODE, version: RetryVersion.RETRY_VERSION_ORIGINAL },
            idempotencyKey: expect.stringMatching(/^gateway-/),
          },
        },
        {
          request: {
            options: { from: RetryFrom.RETRY_FROM_START, version: RetryVersion.RETRY_VERSION_CURRENT },
            idempotencyKey: 'k',
          },
        },
      ]);
    },
  );

  it('passes other items for the start node, and refuses them for a retry from the failed node', async () => {
    const input = [{ json: { a: 1 } }, { b: 'ü' }];
    const { status } = await gateway.api('POST', '/executions/failed/retry', { body: { from: 'start', input } });
    expect(status).toBe(201);
    expect(gateway.retries.callsOf('retryExecution')).toMatchObject([
      { request: { options: { from: RetryFrom.RETRY_FROM_INPUT }, input: Buffer.from(JSON.stringify(input)) } },
    ]);
    for (const body of [
      { input },
      { from: 'failedNode', input },
      { from: 'start', input: [1] },
      { from: 'start', input: {} },
    ])
      expect((await gateway.api('POST', '/executions/failed/retry', { body })).status).toBe(400);
    expect(gateway.retries.callsOf('retryExecution')).toHaveLength(1);
  });

  it('is 409 with the reason and a remedy if it cannot be retried like this', async () => {
    const fields = [{ field: 'Set', message: 'This node already ran and has since been removed from the workflow.' }];
    gateway.retries.fail(
      'retryExecution',
      new ServiceError({
        reason: 'RETRY_NOT_POSSIBLE',
        kind: 'conflict',
        message: 'Retry it from the start.',
        details: { executionId: 'failed' },
        fields,
      }),
    );
    const { status, json } = await gateway.api('POST', '/executions/failed/retry', { body: { version: 'current' } });
    expect([status, json.error]).toMatchObject([
      409,
      {
        code: 'CONFLICT',
        message: 'Retry it from the start.',
        details: { reason: 'RETRY_NOT_POSSIBLE', executionId: 'failed', fields: [{ field: 'Set' }] },
      },
    ]);
  });

  it('shows the execution it retries, and its successful retry', async () => {
    gateway.executions.stored.set('e2', executionOf('e2', { retryOf: 'e1' }));
    gateway.executions.stored.set('e1', executionOf('e1', { retrySuccessId: 'e2' }));
    expect((await gateway.api('GET', '/executions')).json.data).toMatchObject([
      { id: 'e2', retryOf: 'e1' },
      { id: 'e1', retrySuccessId: 'e2' },
    ]);
  });
});

describe('POST /api/v1/executions/retry', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns only the number for a dry run', async () => {
    const { status, json } = await gateway.api('POST', '/executions/retry', { body: { filter: {}, dryRun: true } });
    expect([status, json]).toEqual([200, { data: { dryRun: true, matched: 3 } }]);
    expect(gateway.retries.callsOf('startRetryJob')).toMatchObject([
      { request: { dryRun: true, filter: { workflowId: '', status: 4, reason: '', from: undefined, to: undefined } } },
    ]);
  });

  it('responds with 201, the job and its address, and passes on filter and options', async () => {
    const filter = {
      workflowId: 'w1',
      status: 'error',
      reason: 'TIMED_OUT',
      from: '2026-01-02T03:04:05+01:00',
      to: '2026-01-03T00:00:00Z',
    };
    const { status, json, headers } = await gateway.api('POST', '/executions/retry', {
      body: { filter, from: 'start', version: 'current' },
      headers: { 'idempotency-key': 'k' },
    });
    expect([status, headers.get('location')]).toEqual([201, '/api/v1/retry-jobs/job1']);
    expect(json.data).toEqual({
      id: 'job1',
      state: 'running',
      filter: { ...filter, from: '2026-01-02T02:04:05.000Z', to: '2026-01-03T00:00:00.000Z' },
      from: 'start',
      version: 'current',
      matched: 3,
      retried: 1,
      refused: 1,
      skipped: 0,
      refusals: [{ executionId: 'e7', reason: 'RETRY_NOT_POSSIBLE', message: 'No.' }],
      createdAt: '2026-01-02T03:04:05.000Z',
      finishedAt: null,
    });
    expect(gateway.retries.callsOf('startRetryJob')).toMatchObject([
      {
        userId: 'user-1',
        request: {
          idempotencyKey: 'k',
          dryRun: false,
          options: { from: RetryFrom.RETRY_FROM_START, version: RetryVersion.RETRY_VERSION_CURRENT },
        },
      },
    ]);
  });

  it('is 409 if the filter matches more than a job may retry', async () => {
    gateway.retries.fail(
      'startRetryJob',
      new ServiceError({
        reason: 'RETRY_TOO_MANY',
        kind: 'precondition',
        message: 'Narrow it.',
        details: { limit: '10000' },
      }),
    );
    const { status, json } = await gateway.api('POST', '/executions/retry', { body: { filter: {} } });
    expect([status, json.error?.details]).toEqual([409, { reason: 'RETRY_TOO_MANY', limit: '10000' }]);
  });
});
