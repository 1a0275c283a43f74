import { closeAfterEach, until } from '@weft/service-kit/testing';
import { slowReader } from '../support/raw-request';
import { startGateway, type TestGateway } from '../support/start-gateway';

const body = (index: number) => ({
  name: `n${index}`,
  nodes: [{ name: 'S', type: 'weft-nodes-base.start' }],
  connections: {},
  settings: { timezone: 'UTC' },
  notes: 'x'.repeat(1_000),
});
const isList = (value: unknown): value is readonly { readonly id: string }[] => Array.isArray(value);

describe('GET /api/v1/workflows', () => {
  const later = closeAfterEach();
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const create = async (count: number): Promise<void> => {
    await gateway.api('POST', '/workflows', { body: body(0) });
    const one = gateway.workflows.stored.get('w1');
    if (one === undefined) throw new Error('The first workflow was not stored.');
    for (let index = 1; index < count; index += 1)
      gateway.workflows.stored.set(`w${index + 1}`, { ...one, id: `w${index + 1}` });
  };

  it('takes a hundred ids, and no more characters than these have', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `01a2299a-f692-73bc-a7d3-${String(index).padStart(12, '0')}`);
    expect((await gateway.api('GET', `/workflows?summary=true&ids=${ids.join(',')}`)).status).toBe(200);
    expect((await gateway.api('GET', `/workflows?ids=${'x'.repeat(4_001)}`)).status).toBe(400);
    expect((await gateway.api('GET', `/workflows?search=${'x'.repeat(501)}`)).status).toBe(400);
  });

  it('returns every workflow completely and without a cursor if there is no limit, read page by page', async () => {
    await create(205);
    const { status, json } = await gateway.api('GET', '/workflows');
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['data']);
    expect(isList(json.data) && json.data.map(({ id }) => id)).toEqual(
      Array.from({ length: 205 }, (_, index) => `w${index + 1}`),
    );
    expect(isList(json.data) && json.data[0]).toMatchObject({
      id: 'w1',
      name: 'n0',
      active: false,
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
      nodes: [{ name: 'S' }],
      connections: {},
      settings: { timezone: 'UTC' },
      notes: body(0).notes,
    });
    expect(gateway.workflows.callsOf('listWorkflows').map(({ request }) => request)).toEqual([
      { limit: 100, cursor: '', summary: false },
      { limit: 100, cursor: '100', summary: false },
      { limit: 100, cursor: '200', summary: false },
    ]);
  });

  it('returns a summary of each workflow with summary=true, all at once or page by page', async () => {
    await create(3);
    const summaryOf = (id: string) => ({
      ownerId: 'user-1',
      id,
      name: 'n0',
      active: false,
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
      versionId: 'v1',
      etag: '"v1"',
      hash: '1:ab',
    });
    const all = await gateway.api('GET', '/workflows?summary=true');
    expect(all.json).toEqual({ data: ['w1', 'w2', 'w3'].map(summaryOf) });
    const page = await gateway.api('GET', '/workflows?summary=true&limit=2');
    expect(page.json).toEqual({ data: ['w1', 'w2'].map(summaryOf), nextCursor: '2' });
    expect((await gateway.api('GET', '/workflows?summary=false')).json.data).toMatchObject([
      { nodes: [{ name: 'S' }] },
      {},
      {},
    ]);
  });

  it('shows key and management of the workflows that have them', async () => {
    await gateway.api('POST', '/workflows?key=billing/a&managedBy=kubernetes&set=billing', { body: body(0) });
    const { json } = await gateway.api('GET', '/workflows?summary=true');
    expect(json.data).toMatchObject([
      {
        key: 'billing/a',
        managed: {
          by: 'kubernetes',
          set: 'billing',
          source: '',
          appliedVersionId: 'v1',
          appliedAt: '2026-01-02T03:04:05.678Z',
        },
      },
    ]);
  });

  it('passes on its filters', async () => {
    await gateway.api('GET', '/workflows?limit=5&search=Order&active=false&key=a&managedBy=cli&set=b&projectId=p');
    expect(gateway.workflows.callsOf('listWorkflows').map(({ request }) => request)).toEqual([
      {
        limit: 5,
        cursor: '',
        summary: false,
        search: 'Order',
        active: false,
        key: 'a',
        managedBy: 'cli',
        set: 'b',
        projectId: 'p',
      },
    ]);
  });

  it.each([
    ['active', 'active=1'],
    ['managedBy', 'managedBy=argo'],
    ['managedBy', 'managedBy='],
  ])('refuses a wrong %s: %s', async (field, query) => {
    const { status, json } = await gateway.api('GET', `/workflows?${query}`);
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field }] }]);
  });

  it.each(['', '1', 'True', 'yes', 'true%20'])('refuses summary=%s', async (value) => {
    const { status, json } = await gateway.api('GET', `/workflows?summary=${value}`);
    expect([status, json.error?.details]).toEqual([
      400,
      { fields: [{ field: 'summary', message: 'must be true or false' }] },
    ]);
    expect(gateway.workflows.callsOf('listWorkflows')).toEqual([]);
  });

  it('returns an empty list if there are none', async () => {
    expect((await gateway.api('GET', '/workflows')).json).toEqual({ data: [] });
  });

  it('returns one page and nextCursor with limit, null on the last one', async () => {
    await create(3);
    const first = (await gateway.api('GET', '/workflows?limit=2')).json;
    expect([isList(first.data) && first.data.length, first.nextCursor]).toEqual([2, '2']);
    const last = (await gateway.api('GET', '/workflows?limit=2&cursor=2')).json;
    expect([isList(last.data) && last.data.map(({ id }) => id), last.nextCursor]).toEqual([['w3'], null]);
  });

  it('cuts the connection rather than returning half a list if a later page fails', async () => {
    await create(150);
    gateway.workflows.failAfter('listWorkflows', 1);
    await expect(gateway.api('GET', '/workflows')).rejects.toThrow();
  });

  it('does not read ahead while the client does not read', async () => {
    const { workflows, port } = gateway;
    await create(1);
    const one = workflows.stored.get('w1');
    if (one === undefined) throw new Error('not stored');
    for (let index = 2; index <= 3_000; index += 1)
      workflows.stored.set(`w${index}`, {
        ...one,
        id: `w${index}`,
        definition: Buffer.from(JSON.stringify({ notes: 'x'.repeat(20_000) })),
      });
    later(await slowReader(port, '/api/v1/workflows'), (reader) => reader.destroy());
    await until('the stream stands still', async () => {
      const before = workflows.callsOf('listWorkflows').length;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return before > 0 && workflows.callsOf('listWorkflows').length === before;
    });
    expect(workflows.callsOf('listWorkflows').length).toBeLessThan(20);
  });
});
