import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

const grant = { projectId: 'p1', grantedTo: 'project', grantedBy: 'u1', grantedAt: '2026-01-02T03:04:05.678Z' };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const body = { name: 'My header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'very-secret' } };
  await gateway.api('POST', '/credentials', { body });
});
afterEach(() => gateway.stop());

const requestsOf = (method: string): unknown[] => gateway.credentials.callsOf(method).map(({ request }) => request);
const put = (path = '/credentials/c1/grants/p1', key = KEYS.editor) => gateway.api('PUT', path, { key });

describe('GET /api/v1/credentials/:id/workflows', () => {
  it('names the workflows that use it, and says whether there are others', async () => {
    const used = await gateway.api('GET', '/credentials/c1/workflows');
    expect([used.status, used.json.data]).toEqual([
      200,
      { workflows: [{ id: 'w1', name: 'Orders' }], hasHidden: true },
    ]);
    expect((await gateway.api('GET', '/credentials/none/workflows')).status).toBe(404);
  });
});

describe('GET /api/v1/credentials/:id/grants', () => {
  it('returns the grants, and 404 with the id for an unknown credential', async () => {
    await put();
    expect((await gateway.api('GET', '/credentials/c1/grants')).json).toEqual({ data: [grant] });
    const { status, json } = await gateway.api('GET', '/credentials/none/grants');
    expect([status, json.error?.code, json.error?.details]).toEqual([404, 'INVALID_REQUEST', { credentialId: 'none' }]);
  });
});

describe('PUT /api/v1/credentials/:id/grants/:grantedTo', () => {
  it('grants to the project at the end of the path, and is 403 for a viewer', async () => {
    const { status, json } = await put();
    expect([status, json]).toEqual([200, { data: grant }]);
    expect(requestsOf('grantCredential')).toEqual([{ credentialId: 'c1', projectId: 'p1' }]);
    expect((await put('/credentials/c1/grants/p1', KEYS.viewer)).status).toBe(403);
  });
});

describe('DELETE /api/v1/credentials/:id/grants/:grantedTo', () => {
  it('ends the grant, and is 404 with both ids if there is none', async () => {
    await put();
    const remove = () => gateway.api('DELETE', '/credentials/c1/grants/p1');
    expect((await remove()).json).toEqual({ data: { success: true } });
    const { status, json } = await remove();
    expect([status, json.error?.details]).toEqual([404, { credentialId: 'c1', projectId: 'p1' }]);
  });
});

describe('GET /api/v1/projects/:id/granted-credentials', () => {
  it('returns only name and type to everyone who can read workflows, as decided by the service', async () => {
    await put();
    const shown = { id: 'c1', name: 'My header', type: 'httpHeaderAuth', ownerId: 'owner', grantedAt: grant.grantedAt };
    for (const query of ['', '?limit=5']) {
      const { json } = await gateway.api('GET', `/projects/p1/granted-credentials${query}`, { key: KEYS.viewer });
      expect(json.data).toEqual([shown]);
    }
    expect(requestsOf('listGrantedCredentials')).toEqual([
      { projectId: 'p1', limit: 100, cursor: '' },
      { projectId: 'p1', limit: 5, cursor: '' },
    ]);
  });
});
