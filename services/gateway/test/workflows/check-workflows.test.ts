import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('POST /api/v1/workflows/check', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const check = (body: unknown, key = KEYS.owner) => gateway.api('POST', '/workflows/check', { body, key });

  it('returns an outcome for each definition, in order', async () => {
    gateway.workflows.warnings.push({ field: 'nodes[0].parameters.x', message: 'unknown' });
    const one = { name: 'one', nodes: [] };
    const { status, json } = await check({ workflows: [one, { name: 'broken' }] });
    expect([status, json.data]).toEqual([
      200,
      [
        {
          name: 'one',
          definition: one,
          hash: '1:ab',
          runnable: true,
          fields: [],
          warnings: [{ field: 'nodes[0].parameters.x', message: 'unknown' }],
          credentials: [
            { node: 'Http', type: 'erpApi', storedType: 'httpHeaderAuth', name: 'k', id: 'c1', how: 'given' },
            { node: 'Http', type: 'httpBasicAuth', storedType: 'httpBasicAuth', name: 'b', id: null, how: 'none' },
          ],
          routes: [
            { method: 'POST', path: 'a', node: 'Hook', takenBy: 'w9' },
            { method: 'POST', path: 'b', node: 'Hook', takenBy: null },
          ],
        },
        {
          name: 'broken',
          definition: null,
          hash: null,
          runnable: false,
          fields: [{ field: 'nodes', message: 'must be an array' }],
          warnings: [],
          credentials: [],
          routes: [],
        },
      ],
    ]);
  });

  it('passes on the owner and the chosen credentials', async () => {
    await check({ workflows: [], projectId: 'p1', credentials: { 'httpHeaderAuth/k': 'c1' } });
    expect(gateway.workflows.callsOf('checkDefinitions').map(({ request }) => request)).toEqual([
      { definitions: [], projectId: 'p1', credentials: { 'httpHeaderAuth/k': 'c1' } },
    ]);
  });

  it.each([
    ['workflows', {}],
    ['workflows', { workflows: {} }],
    ['workflows[1]', { workflows: [{}, 1] }],
    ['credentials', { workflows: [], credentials: { a: 1 } }],
    ['projectId', { workflows: [], projectId: '' }],
    ['more', { workflows: [], more: true }],
  ])('refuses a body with a wrong %s', async (field, body) => {
    const { status, json } = await check(body);
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field }] }]);
  });

  it('is refused to viewers', async () => {
    expect((await check({ workflows: [] }, KEYS.viewer)).status).toBe(403);
  });
});
