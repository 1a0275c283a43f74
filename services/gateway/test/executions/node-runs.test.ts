import { executionOf } from '../peers/executions';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/executions/:id/node-runs/:executionIndex', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.executions.stored.set('e1', executionOf('e1'));
  });
  afterEach(() => gateway.stop());

  it('returns the record with the numbers of its items', async () => {
    const { status, json } = await gateway.api('GET', '/executions/e1/node-runs/3');
    expect([status, json.data]).toEqual([
      200,
      {
        node: 'Set',
        run: 1,
        executionIndex: 3,
        failed: false,
        bytes: 123,
        items: [2, 0],
        startTime: 1,
        hints: [],
      },
    ]);
  });

  it.each(['x', '-1', '1.5', '9999999999'])('responds with 404 for the position %s', async (ref) => {
    const { status, json } = await gateway.api('GET', `/executions/e1/node-runs/${ref}`);
    expect([status, json.error?.details]).toEqual([404, { executionId: 'e1', executionIndex: ref }]);
  });
});

describe('GET /api/v1/executions/:id/node-runs/:executionIndex/items', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.executions.stored.set('e1', executionOf('e1'));
  });
  afterEach(() => gateway.stop());

  it('returns a page of items and their total', async () => {
    const query = 'output=1&offset=20&limit=2&maxItemBytes=2000';
    const { status, json } = await gateway.api('GET', `/executions/e1/node-runs/3/items?${query}`);
    expect([status, json]).toEqual([200, { data: [{ json: {} }, { json: { a: 1 } }], total: 7 }]);
    expect(gateway.executions.callsOf('readItems')[0]?.request).toEqual({
      executionId: 'e1',
      executionIndex: 3,
      output: 1,
      offset: 20,
      limit: 2,
      maxItemBytes: 2_000,
    });
  });

  it('responds with 404 for an unknown execution', async () => {
    expect((await gateway.api('GET', '/executions/e9/node-runs/3/items')).status).toBe(404);
  });

  it.each([
    ['output', 'output=-1'],
    ['offset', 'offset=x'],
    ['limit', 'limit=101'],
    ['maxItemBytes', 'maxItemBytes=5'],
  ])('refuses a wrong %s', async (field, query) => {
    const { status, json } = await gateway.api('GET', `/executions/e1/node-runs/3/items?${query}`);
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field }] }]);
  });
});
