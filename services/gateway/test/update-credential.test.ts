import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'My header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'very-secret' } };
const shown = {
  id: 'c1',
  name: 'My header',
  type: 'httpHeaderAuth',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('PUT /api/v1/credentials/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  beforeEach(() => gateway.api('POST', '/credentials', { body }));

  it('changes what the body gives, leaves the rest, and answers without data', async () => {
    const { status, json } = await gateway.api('PUT', '/credentials/c1', { body: { name: 'New' } });
    expect([status, json]).toEqual([200, { data: { ...shown, name: 'New' } }]);
    expect(gateway.credentials.callsOf('updateCredential').at(-1)?.request).toEqual({
      credentialId: 'c1',
      name: 'New',
      type: undefined,
      dataJson: undefined,
    });
  });

  it('takes back what GET gave', async () => {
    const got = (await gateway.api('GET', '/credentials/c1')).json.data;
    expect((await gateway.api('PUT', '/credentials/c1', { body: got })).status).toBe(200);
  });
});
