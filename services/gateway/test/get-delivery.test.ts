import { deliveryOf } from './peers/deliveries';
import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/deliveries/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.deliveries.stored.set('d1', deliveryOf('d1'));
  });
  afterEach(() => gateway.stop());

  it('gives the request with its headers, but no secrets among them', async () => {
    const json = {
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret', cookie: 'sid=secret' },
      query: { a: '1' },
      body: { n: 1 },
    };
    gateway.deliveries.inputs.set('d1', Buffer.from(JSON.stringify([{ json, binary: { data: { id: 'f' } } }])));
    const reply = await gateway.api('GET', '/deliveries/d1', { key: KEYS.viewer });
    expect(reply.json.data).toMatchObject({
      id: 'd1',
      request: {
        headers: { 'content-type': 'application/json', authorization: '***', cookie: '***' },
        query: { a: '1' },
        body: { n: 1 },
        files: { data: { id: 'f' } },
      },
    });
    expect(reply.text).not.toContain('secret');
  });

  it('has no request any more once it was delivered', async () => {
    expect((await gateway.api('GET', '/deliveries/d1')).json.data).toMatchObject({ id: 'd1', request: null });
  });
});
