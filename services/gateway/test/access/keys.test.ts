import { until } from '@weft/service-kit/testing';
import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.stop());

const shown = { id: 'k1', name: 'sync', createdAt: '2026-01-02T03:04:05.678Z', expiresAt: null, scopes: null };

describe('POST /api/v1/keys', () => {
  it('responds with 201, the key and its value, and passes on expiry and scopes', async () => {
    const limits = { expiresAt: '2031-05-01T00:00:00.000Z', scopes: ['workflows:read'] };
    const { status, json } = await gateway.api('POST', '/keys', { body: { name: ' sync ', ...limits } });
    expect([status, json.data]).toEqual([201, { ...shown, ...limits, lastUsedAt: null, value: 'weft_value1' }]);
    expect(gateway.identity.callsOf('createApiKey')).toMatchObject([
      { request: { name: 'sync', expiresAt: new Date(limits.expiresAt), scopes: ['workflows:read'] } },
    ]);
  });

  it('is 400 with every missing, unknown or invalid field', async () => {
    const bodyOf = async (body: unknown) => (await gateway.api('POST', '/keys', { body })).json.error?.details;
    expect(await bodyOf({ expiresAt: 'tomorrow', scopes: [], x: 1 })).toMatchObject({
      fields: [{ field: 'x' }, { field: 'name' }, { field: 'expiresAt' }, { field: 'scopes' }],
    });
    expect(await bodyOf({ name: 'n', scopes: ['workflows:read', 1] })).toMatchObject({ fields: [{ field: 'scopes' }] });
  });
});

describe('GET /api/v1/keys', () => {
  it('returns the keys without values', async () => {
    await gateway.api('POST', '/keys', { body: { name: 'sync' } });
    expect((await gateway.api('GET', '/keys')).json).toEqual({ data: [{ ...shown, lastUsedAt: null }] });
  });
});

describe('DELETE /api/v1/keys/:id', () => {
  it('deletes a key of the caller, and is 404 for any other', async () => {
    await gateway.api('POST', '/keys', { body: { name: 'sync' } });
    expect((await gateway.api('DELETE', '/keys/k1')).json).toEqual({ data: { success: true } });
    const { status, json } = await gateway.api('DELETE', '/keys/k1');
    expect([status, json.error?.details]).toEqual([404, { apiKeyId: 'k1' }]);
  });
});

describe('a key limited to scopes', () => {
  it('can use its scopes and is told which ones it lacks, at every service', async () => {
    gateway.identity.limited.set(KEYS.owner, ['workflows:read', 'executions:read']);
    for (const path of ['/workflows', '/executions']) expect((await gateway.api('GET', path)).status).toBe(200);
    for (const [method, path, needed] of [
      ['POST', '/workflows/w1/activate', 'workflows:write'],
      ['DELETE', '/executions/e1', 'executions:write'],
      ['GET', '/credentials', 'credentials:read'],
      ['GET', '/keys', 'keys:own'],
      ['GET', '/users', 'users:manage'],
      ['GET', '/audit', 'audit:read'],
    ] as const) {
      const { status, json } = await gateway.api(method, path);
      expect([path, status, json.error?.code]).toEqual([path, 403, 'FORBIDDEN']);
      expect(json.error?.message).toBe(
        `The API key is limited to workflows:read, executions:read; this needs ${needed}.`,
      );
    }
  });

  it('gets nothing from a shared read of another key of the same user', async () => {
    const other = 'weft_other';
    gateway.identity.keys.set(other, 1);
    gateway.identity.limited.set(other, ['workflows:read']);
    const letGo = gateway.executions.hold('listExecutions');
    const allowed = [1, 2, 3].map(() => gateway.api('GET', '/executions'));
    await until('a read is under way', () => gateway.executions.callsOf('listExecutions').length > 0);
    const limited = gateway.api('GET', '/executions', { key: other });
    expect((await limited).status).toBe(403);
    letGo();
    for (const { status } of await Promise.all(allowed)) expect(status).toBe(200);
  });

  it('may do nothing if this version knows none of its scopes', async () => {
    gateway.identity.limited.set(KEYS.owner, ['spaceships:fly']);
    expect((await gateway.api('GET', '/workflows')).status).toBe(403);
  });
});
