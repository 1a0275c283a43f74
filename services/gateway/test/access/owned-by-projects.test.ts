import { startGateway, type TestGateway } from '../support/start-gateway';

// Objects of projects: the owner of a creation and the filter of a list are passed to the services, which decide.

const WORKFLOW = { name: 'n', nodes: [], connections: {} };

const KINDS = [
  ['/workflows', 'createWorkflow', 'listWorkflows', WORKFLOW],
  ['/variables', 'createVariable', 'listVariables', { key: 'k', value: 'v' }],
  ['/data-tables', 'createDataTable', 'listDataTables', { name: 'n', columns: [] }],
  ['/credentials', 'createCredential', 'listCredentials', { name: 'n', type: 'httpHeaderAuth', data: {} }],
] as const;

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.stop());

/** The requests to a method of the services. */
const requestsOf = (method: string): unknown[] =>
  [gateway.workflows, gateway.variables, gateway.dataTables, gateway.credentials, gateway.executions].flatMap((fake) =>
    fake.callsOf(method).map(({ request }) => request),
  );

describe.each(KINDS)('POST %s', (path, create, _list, body) => {
  it('passes on the project, or none if none is given', async () => {
    for (const owner of [{ projectId: 'p1' }, {}])
      expect((await gateway.api('POST', path, { body: { ...body, ...owner } })).status).toBe(201);
    const [named, unnamed] = requestsOf(create);
    expect(named).toMatchObject({ projectId: 'p1' });
    expect(unnamed).not.toMatchObject({ projectId: expect.anything() });
  });

  it.each([[''], [7], [null], [['p1']]])('is 400 for the project %j, and stores nothing', async (projectId) => {
    const { status, json } = await gateway.api('POST', path, { body: { ...body, projectId } });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'projectId' }] }]);
    expect(requestsOf(create)).toEqual([]);
  });
});

describe.each([...KINDS, ['/executions', '', 'listExecutions', {}] as const])('GET %s', (path, _create, list) => {
  it('passes on the project, with or without a page, or none if none is given', async () => {
    for (const query of ['?projectId=p1', '?limit=1&projectId=p1', ''])
      expect((await gateway.api('GET', `${path}${query}`)).status).toBe(200);
    const [all, page, unnamed] = requestsOf(list);
    expect([all, page]).toMatchObject([{ projectId: 'p1' }, { projectId: 'p1', limit: 1 }]);
    expect(unnamed).not.toMatchObject({ projectId: expect.anything() });
  });

  it('is 400 for an empty project, which would list everything', async () => {
    const { status, json } = await gateway.api('GET', `${path}?projectId=`);
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'projectId' }] }]);
    expect(requestsOf(list)).toEqual([]);
  });
});

describe('PUT', () => {
  it('of a workflow accepts the body of its creation, and of a variable refuses to move it', async () => {
    const location = (await gateway.api('POST', '/workflows', { body: WORKFLOW })).headers.get('location') ?? '';
    const path = location.replace('/api/v1', '');
    expect((await gateway.api('PUT', path, { body: { ...WORKFLOW, projectId: 'p1' } })).status).toBe(200);
    await gateway.api('POST', '/variables', { body: { key: 'k', value: 'v' } });
    const moved = await gateway.api('PUT', '/variables/var1', { body: { key: 'k', value: 'v', projectId: 'p1' } });
    expect([moved.status, moved.json.error?.details]).toMatchObject([400, { fields: [{ field: 'projectId' }] }]);
  });
});
