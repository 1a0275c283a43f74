import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'My header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'very-secret' } };
const shown = {
  id: 'c1',
  name: 'My header',
  type: 'httpHeaderAuth',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('GET /api/v1/credentials', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('gives all of them without data and without a cursor', async () => {
    for (let index = 0; index < 130; index += 1) await gateway.api('POST', '/credentials', { body });
    const { status, json, text } = await gateway.api('GET', '/credentials');
    expect([
      status,
      Object.keys(json),
      Array.isArray(json.data) && json.data.length,
      Array.isArray(json.data) && json.data[0],
    ]).toEqual([200, ['data'], 130, shown]);
    expect(text).not.toContain('very-secret');
  });

  it('gives pages with limit and cursor', async () => {
    for (let index = 0; index < 3; index += 1) await gateway.api('POST', '/credentials', { body });
    expect((await gateway.api('GET', '/credentials?limit=2')).json).toMatchObject({
      data: [{ id: 'c1' }, { id: 'c2' }],
      nextCursor: '2',
    });
    expect((await gateway.api('GET', '/credentials?cursor=2')).json).toMatchObject({
      data: [{ id: 'c3' }],
      nextCursor: null,
    });
  });
});
