import { until } from '@weft/service-kit/testing';
import { KEYS } from '../peers/identity';
import { webhookAt } from '../peers/workflows';
import { rawRequest } from '../support/raw-request';
import { gatewaysOfEachTest } from '../support/start-gateway';

describe('stopping the gateway', () => {
  const start = gatewaysOfEachTest();

  it('lets a current request finish and accepts no new connection', async () => {
    const gateway = await start();
    expect((await gateway.ask('GET', '/livez')).status).toBe(200);
    expect((await gateway.ask('GET', '/readyz')).json).toEqual({ status: 'ok' });
    const release = gateway.workflows.hold('listWorkflows');
    const underWay = gateway.api('GET', '/workflows');
    await until(
      'the request is with the workflows service',
      () => gateway.workflows.callsOf('listWorkflows').length === 1,
    );
    const stopped = gateway.stopGateway();
    await until('new connections are refused', () =>
      gateway.ask('GET', '/livez').then(
        () => false,
        () => true,
      ),
    );
    release();
    expect((await underWay).status).toBe(200);
    await stopped;
  });

  it('asks waiting callers to close their connection after the response, so that none is cut', async () => {
    const gateway = await start();
    const release = gateway.workflows.hold('listWorkflows');
    const underWay = rawRequest(gateway.port, 'GET', '/api/v1/workflows', {
      'x-svc-api-key': KEYS.owner,
      connection: 'keep-alive',
    });
    await until(
      'the request is with the workflows service',
      () => gateway.workflows.callsOf('listWorkflows').length === 1,
    );
    const stopped = gateway.stopGateway();
    release();
    expect(await underWay).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await stopped;
  });

  it('accepts requests in the first quarter of DRAIN_MS after it has reported that it is not ready', async () => {
    const gateway = await start({ DRAIN_MS: '1600', SHUTDOWN_DELAY_MS: '5000' });
    const stopped = gateway.stopGateway();
    expect((await gateway.ask('GET', '/readyz')).status).toBe(503);
    const answer = await rawRequest(gateway.port, 'GET', '/api/v1/workflows', {
      'x-svc-api-key': KEYS.owner,
      connection: 'keep-alive',
    });
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await stopped;
    await expect(gateway.ask('GET', '/readyz')).rejects.toThrow();
  });

  it('answers requests that do not finish within DRAIN_MS with 503 and the id of the waiting run', async () => {
    const gateway = await start({ DRAIN_MS: '100' });
    gateway.workflows.webhooks.set('POST late', webhookAt({}, { responseMode: 'lastNode' }));
    const release = gateway.executions.hold('startExecution');
    const underWay = gateway.ask('POST', '/webhook/late', { body: {} });
    await until(
      'the start is with the executions service',
      () => gateway.executions.callsOf('startExecution').length === 1,
    );
    await gateway.stopGateway();
    const { status, headers, json } = await underWay;
    expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '1', 'close']);
    expect(json.error?.details).toEqual({ started: 'unknown', executionId: expect.any(String) });
    release();
  });

  it('answers a request whose body has not arrived, and stops', async () => {
    const gateway = await start({ DRAIN_MS: '100' });
    const unfinished = rawRequest(
      gateway.port,
      'POST',
      '/api/v1/workflows',
      { 'x-svc-api-key': KEYS.owner, 'content-type': 'application/json', 'content-length': '100' },
      '{',
      false,
    );
    await until('the request is known', () => gateway.identity.seen.length === 1);
    await gateway.stopGateway();
    expect((await unfinished).status).toBe(503);
  });

  it('reports in one sentence that its port is taken', async () => {
    const gateway = await start();
    await expect(start({ PORT: String(gateway.port) })).rejects.toThrow(`Cannot listen on 127.0.0.1:${gateway.port}`);
  });
});
