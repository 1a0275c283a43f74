import { webhookAt } from '../peers/workflows';
import { rawBytes } from '../support/raw-request';
import { startGateway, type TestGateway } from '../support/start-gateway';

const bodyOf = (text: string): unknown => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

describe('requests at the edge of HTTP', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.workflows.webhooks.set('POST hook', webhookAt());
  });
  afterAll(() => gateway.stop());
  const send = (head: string, body = '') => rawBytes(gateway.port, `${head}\r\n\r\n${body}`);

  it.each([
    ['no Host', 'POST /webhook/hook HTTP/1.1', 'Host'],
    ['two different Hosts', 'POST /webhook/hook HTTP/1.1\r\nHost: a\r\nHost: b', 'Host'],
    ['an invalid Host', 'POST /webhook/hook HTTP/1.1\r\nHost: a b/c', 'Host'],
    ['another expectation', 'POST /webhook/hook HTTP/1.1\r\nHost: a\r\nExpect: tea', 'Expect'],
    [
      'a coding of the body that is not undone',
      'POST /webhook/hook HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked',
      'Transfer-Encoding',
    ],
  ])('are refused in the shape of all errors, with an id: %s', async (_, head, field) => {
    const text = await send(head, head.includes('chunked') ? '0\r\n\r\n' : '');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.toLowerCase()).toContain('\r\nx-request-id: ');
    expect(bodyOf(text)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { fields: [{ field, message: expect.any(String) }] } },
    });
  });

  it('accept a target in absolute form, as servers must', async () => {
    const { port } = gateway;
    const head = `POST http://127.0.0.1:${port}/webhook/hook HTTP/1.1\r\nHost: a\r\nContent-Length: 0`;
    expect(await send(`${head}\r\nConnection: close`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('reveal nothing about an undecodable path to strangers, and count it for authenticated callers', async () => {
    const path = '/api/v1/workflows/%zz';
    expect((await gateway.ask('GET', path)).status).toBe(401);
    const before = gateway.identity.seen.length;
    expect((await gateway.api('GET', '/workflows/%zz')).status).toBe(400);
    expect(gateway.identity.seen.length).toBe(before + 1);
  });
});
