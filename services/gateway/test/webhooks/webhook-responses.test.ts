import { webhookAt } from '../peers/workflows';
import { startGateway, type Ask, type TestGateway } from '../support/start-gateway';

describe('/webhook/<path>', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.workflows.webhooks.set('POST hook', webhookAt());
  });
  afterEach(() => gateway.stop());

  const post = (params: Ask = {}, path = 'hook') => gateway.ask('POST', `/webhook/${path}`, params);

  describe.each(['lastNode', 'responseNode'])('answered by the run (%s)', (responseMode) => {
    beforeEach(() => {
      gateway.workflows.webhooks.set('POST hook', webhookAt({}, { responseMode }));
    });

    it('returns the status, headers and body of the run', async () => {
      gateway.executions.told.answer = {
        statusCode: 418,
        headers: [
          { name: 'Content-Type', value: 'application/json' },
          { name: 'Connection', value: 'x' },
        ],
        body: Buffer.from('{"tea":true}'),
      };
      const { status, text, headers } = await post({ body: {} });
      expect([status, text, headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
        418,
        '{"tea":true}',
        'application/json',
        'sandbox allow-scripts allow-forms',
      ]);
      expect(gateway.executions.callsOf('startExecution')).toMatchObject([
        { service: 'gateway', userId: undefined, request: { start: { wait: 1 } } },
      ]);
    });

    it('names the execution whatever the workflow responds, which cannot name another one', async () => {
      gateway.executions.told.answer = {
        statusCode: 500,
        headers: [{ name: 'X-Weft-Execution-Id', value: 'forged' }],
        body: Buffer.from('{"message":"Error in workflow"}'),
      };
      const { status, text, headers } = await post({ body: {}, headers: { origin: 'https://a.example' } });
      expect([status, text]).toEqual([500, '{"message":"Error in workflow"}']);
      expect([headers.get('x-weft-execution-id'), headers.get('access-control-expose-headers')]).toEqual([
        'e1',
        'x-weft-execution-id',
      ]);
    });

    it('is 503 with the id of the execution if no response arrives in time', async () => {
      const { status, json, headers } = await post();
      expect(headers.get('x-weft-execution-id')).toBe('e1');
      expect([status, json.error]).toEqual([
        503,
        {
          code: 'SERVICE_UNAVAILABLE',
          message: expect.any(String),
          details: { reason: 'WEBHOOK_ANSWER_LATE', executionId: 'e1', started: 'yes' },
        },
      ]);
      expect(headers.get('retry-after')).toBe('5');
    });

    it('passes on at most a hundred headers of the run', async () => {
      const named = Array.from({ length: 150 }, (_, index) => ({ name: `x-h-${index}`, value: '1' }));
      gateway.executions.told.answer = { statusCode: 200, headers: named, body: Buffer.from('x') };
      const { headers } = await post();
      expect([...headers.keys()].filter((name) => name.startsWith('x-h-'))).toHaveLength(100);
    });

    it('replaces an invalid status with 200', async () => {
      gateway.executions.told.answer = { statusCode: 99, headers: [], body: Buffer.from('x') };
      expect((await post()).status).toBe(200);
    });
  });
});
