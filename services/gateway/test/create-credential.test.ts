import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'My header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'very-secret' } };
const shown = {
  id: 'c1',
  name: 'My header',
  type: 'httpHeaderAuth',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('POST /api/v1/credentials', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers 201 with everything but the data', async () => {
    const { status, json, headers, text } = await gateway.api('POST', '/credentials', { body });
    expect([status, json, headers.get('location')]).toEqual([201, { data: shown }, '/api/v1/credentials/c1']);
    expect(text).not.toContain('very-secret');
    expect(gateway.credentials.callsOf('createCredential')).toMatchObject([
      { userId: 'user-1', request: { name: 'My header', type: 'httpHeaderAuth', dataJson: JSON.stringify(body.data) } },
    ]);
  });
});
