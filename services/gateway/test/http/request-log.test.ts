import { keptLog, until } from '@weft/service-kit/testing';
import { formAt, webhookAt } from '../peers/workflows';
import { gatewaysOfEachTest } from '../support/start-gateway';

const TOKEN = 'a-secret-token-of-a-run';

describe('the log line of a request', () => {
  const start = gatewaysOfEachTest();
  const scene = async () => {
    const log = keptLog();
    const gateway = await start({ TRUST_PROXY: '1' }, log.logger);
    gateway.workflows.webhooks.set('POST hook', webhookAt()).set('FORM form', formAt());
    /** The only line of the request with that id. */
    const lineOf = async (requestId: string) => {
      const found = () => log.lines.filter((line) => line['requestId'] === requestId && line['msg'] === 'request');
      await until('the line is written', () => found().length > 0);
      expect(found()).toHaveLength(1);
      return found()[0];
    };
    return { ...gateway, log, lineOf };
  };

  it('has the request of a webhook and the execution it started', async () => {
    const { ask, lineOf } = await scene();
    const headers = { 'x-request-id': 'hook-1', 'x-forwarded-for': '192.0.2.7' };
    await ask('POST', '/webhook/hook?secret=1', { body: { a: 1 }, headers });
    expect(await lineOf('hook-1')).toMatchObject({
      method: 'POST',
      path: '/webhook/hook',
      status: 200,
      ms: expect.any(Number),
      client: '192.0.2.7',
      bytes: 7,
      executionId: 'e1',
    });
  });

  it('is a warning with the execution for a webhook whose run failed', async () => {
    const { ask, lineOf, workflows, executions } = await scene();
    workflows.webhooks.set('POST fails', webhookAt({}, { responseMode: 'lastNode' }));
    executions.told.answer = { statusCode: 500, headers: [], body: Buffer.from('{"message":"Error in workflow"}') };
    await ask('POST', '/webhook/fails', { headers: { 'x-request-id': 'hook-2' } });
    expect(await lineOf('hook-2')).toMatchObject({ level: 40, path: '/webhook/fails', status: 500, executionId: 'e1' });
  });

  it('is written for an unknown webhook, with at most 200 characters of its path', async () => {
    const { ask, lineOf } = await scene();
    await ask('POST', `/webhook/${'x'.repeat(500)}`, { headers: { 'x-request-id': 'gone-1' } });
    const line = await lineOf('gone-1');
    expect(line).toMatchObject({ status: 404 });
    expect([String(line?.['path']).length, line?.['executionId']]).toEqual([200, undefined]);
  });

  it('is written for forms, and never contains the token of a waiting run', async () => {
    const { ask, lineOf, log } = await scene();
    await ask('GET', '/form/form', { headers: { 'x-request-id': 'form-1' } });
    await ask('POST', `/webhook-waiting/${TOKEN}`, { headers: { 'x-request-id': 'wait-1' } });
    await ask('GET', `/form-waiting/${TOKEN}`, { headers: { 'x-request-id': 'wait-2' } });
    expect(await lineOf('form-1')).toMatchObject({ path: '/form/form', status: 200 });
    expect(await lineOf('wait-1')).toMatchObject({ path: '/webhook-waiting/*', status: 404 });
    expect(await lineOf('wait-2')).toMatchObject({ path: '/form-waiting/*' });
    expect(JSON.stringify(log.lines)).not.toContain(TOKEN);
  });

  it('has the client of an API request', async () => {
    const { api, lineOf } = await scene();
    await api('GET', '/workflows', { headers: { 'x-request-id': 'api-1', 'x-forwarded-for': '192.0.2.8' } });
    expect(await lineOf('api-1')).toMatchObject({ path: '/api/v1/workflows', status: 200, client: '192.0.2.8' });
  });
});
