import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

const document = { weftApp: 1, name: 'erp', label: 'ERP' };
const shown = {
  name: 'erp',
  label: 'ERP',
  digest: 'sha256:0',
  kinds: ['erp'],
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  updatedBy: 'user-1',
};

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.stop());
const put = () => gateway.api('PUT', '/apps/erp', { body: document });

describe('GET /api/v1/apps', () => {
  it('returns all of them, without their documents', async () => {
    await put();
    const { status, json } = await gateway.api('GET', '/apps', { key: KEYS.viewer });
    expect([status, json]).toEqual([200, { data: [shown] }]);
  });
});

describe('GET /api/v1/apps/:id', () => {
  it('returns the app with its document and ETag', async () => {
    await put();
    const { status, json, headers } = await gateway.api('GET', '/apps/erp');
    expect([status, json, headers.get('etag')]).toEqual([200, { data: { ...shown, document } }, '"sha256:0"']);
  });

  it('is 404 for an unknown app', async () => {
    const { status, json } = await gateway.api('GET', '/apps/other');
    expect([status, json.error?.details]).toMatchObject([404, { app: 'other' }]);
  });
});

describe('PUT /api/v1/apps/:id', () => {
  it('is 201 with its address for a new app, and 200 for another revision', async () => {
    const first = await put();
    expect([first.status, first.json, first.headers.get('location'), first.headers.get('etag')]).toEqual([
      201,
      { data: shown },
      '/api/v1/apps/erp',
      '"sha256:0"',
    ]);
    const second = await gateway.api('PUT', '/apps/erp', { body: document, headers: { 'if-match': '"sha256:0"' } });
    expect([second.status, second.headers.get('etag')]).toEqual([200, '"sha256:1"']);
    expect(gateway.apps.callsOf('putApp')).toMatchObject([
      { request: { name: 'erp', document: Buffer.from(JSON.stringify(document)) } },
      { request: { condition: { etags: ['sha256:0'] } } },
    ]);
  });

  it('adds an app only if its name is free, with If-None-Match', async () => {
    await gateway.api('PUT', '/apps/erp', { body: document, headers: { 'if-none-match': '*' } });
    expect(gateway.apps.callsOf('putApp')).toMatchObject([{ request: { condition: { etags: [''] } } }]);
  });

  it('is refused to editors', async () => {
    const { status } = await gateway.api('PUT', '/apps/erp', { key: KEYS.editor, body: document });
    expect(status).toBe(403);
  });
});

describe('DELETE /api/v1/apps/:id', () => {
  it('deletes the app, by force if the caller says so', async () => {
    await put();
    expect((await gateway.api('DELETE', '/apps/erp?force=true')).json).toEqual({ data: { success: true } });
    expect(gateway.apps.callsOf('deleteApp')).toMatchObject([{ request: { name: 'erp', force: true } }]);
    expect((await gateway.api('DELETE', '/apps/erp')).status).toBe(404);
  });
});
