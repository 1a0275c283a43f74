import { Unavailable } from '@weft/service-kit/errors';
import { executionOf } from './peers/executions';
import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/executions/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('gives the execution with its run data, passed on as it comes', async () => {
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.executions.data.set('e1', ['{"resultData":{"runData":{"Set":[{"n":', '12345678901234567890123', '}]}}}']);
    const { status, text } = await gateway.api('GET', '/executions/e1');
    expect(status).toBe(200);
    expect(text).toBe(
      '{"data":{"id":"e1","workflowId":"w1","mode":"trigger","startedAt":"2026-01-02T03:04:05.600Z","finishedAt":"2026-01-02T03:04:06.700Z","status":"success","data":{"resultData":{"runData":{"Set":[{"n":12345678901234567890123}]}}}}}',
    );
  });

  it('shows what the run has put down', async () => {
    gateway.executions.stored.set('e1', { ...executionOf('e1'), customDataJson: '{"customer":"c-1"}' });
    gateway.executions.data.set('e1', ['{}']);
    expect(JSON.parse((await gateway.api('GET', '/executions/e1')).text)).toMatchObject({
      data: { id: 'e1', customData: { customer: 'c-1' }, data: {} },
    });
    expect(JSON.parse((await gateway.api('GET', '/executions')).text)).toMatchObject({
      data: [{ customData: { customer: 'c-1' } }],
    });
  });

  it('names the execution that called it', async () => {
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

  it('cuts the connection when the data breaks off, and is 503 when it does not begin', async () => {
    gateway.executions.stored.set('e1', executionOf('e1'));
    gateway.executions.data.set('e1', ['{"resultData":', 'BREAK']);
    await expect(gateway.api('GET', '/executions/e1')).rejects.toThrow();
    gateway.executions.fail('readExecutionData', new Unavailable('Away.'));
    expect((await gateway.api('GET', '/executions/e1')).status).toBe(503);
  });
});
