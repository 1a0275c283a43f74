import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

const body = { name: 'My header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'very-secret' } };
const shown = {
  id: 'c1',
  name: 'My header',
  type: 'httpHeaderAuth',
  ownerId: 'owner',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('GET /api/v1/credentials', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns all of them without data and without a cursor', async () => {
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

  it('returns pages with limit and cursor', async () => {
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

describe('GET /api/v1/credentials/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns it without its data', async () => {
    await gateway.api('POST', '/credentials', { body });
    const { status, json, text } = await gateway.api('GET', '/credentials/c1');
    expect([status, json]).toEqual([200, { data: shown }]);
    expect(text).not.toContain('very-secret');
  });
});

describe('POST /api/v1/credentials', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('responds with 201 and everything but the data', async () => {
    const { status, json, headers, text } = await gateway.api('POST', '/credentials', { body });
    expect([status, json, headers.get('location')]).toEqual([201, { data: shown }, '/api/v1/credentials/c1']);
    expect(text).not.toContain('very-secret');
    expect(gateway.credentials.callsOf('createCredential')).toMatchObject([
      { userId: 'user-1', request: { name: 'My header', type: 'httpHeaderAuth', dataJson: JSON.stringify(body.data) } },
    ]);
  });
});

describe('PUT /api/v1/credentials/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  beforeEach(() => gateway.api('POST', '/credentials', { body }));

  it('changes the fields in the body, keeps the rest, and responds without data', async () => {
    const { status, json } = await gateway.api('PUT', '/credentials/c1', { body: { name: 'New' } });
    expect([status, json]).toEqual([200, { data: { ...shown, name: 'New' } }]);
    expect(gateway.credentials.callsOf('updateCredential').at(-1)?.request).toEqual({
      credentialId: 'c1',
      name: 'New',
      type: undefined,
      dataJson: undefined,
    });
  });

  it('accepts a response of GET', async () => {
    const got = (await gateway.api('GET', '/credentials/c1')).json.data;
    expect((await gateway.api('PUT', '/credentials/c1', { body: got })).status).toBe(200);
  });
});

describe('DELETE /api/v1/credentials/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('reports success, and 404 when repeated', async () => {
    await gateway.api('POST', '/credentials', { body });
    const { status, json } = await gateway.api('DELETE', '/credentials/c1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    const again = await gateway.api('DELETE', '/credentials/c1');
    expect([again.status, again.json.error?.details]).toEqual([404, { credentialId: 'c1' }]);
  });
});

describe('DELETE /api/v1/credentials/:id?force', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('passes on the flag, and refuses other values', async () => {
    await gateway.api('POST', '/credentials', { body });
    expect((await gateway.api('DELETE', '/credentials/c1?force=yes')).status).toBe(400);
    expect((await gateway.api('DELETE', '/credentials/c1?force=true')).status).toBe(200);
    expect(gateway.credentials.callsOf('deleteCredential').map(({ request }) => request)).toEqual([
      { credentialId: 'c1', force: true },
    ]);
  });
});

describe('GET /api/v1/credential-types', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns every type with its fields, to viewers too', async () => {
    const { status, json } = await gateway.api('GET', '/credential-types', { key: KEYS.viewer });
    expect([status, json]).toEqual([
      200,
      { data: [{ name: 'githubApi', label: 'GitHub', fields: [], applied: 'header', hosts: [] }] },
    ]);
  });
});

describe('GET /api/v1/credential-types/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns one, and 404 with the name of an unknown one', async () => {
    expect((await gateway.api('GET', '/credential-types/githubApi')).json.data).toMatchObject({ name: 'githubApi' });
    const { status, json } = await gateway.api('GET', '/credential-types/none');
    expect([status, json.error?.details]).toEqual([404, { credentialType: 'none' }]);
  });
});

describe('POST /api/v1/credentials/:id/test', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns the test result, without a body and with an address', async () => {
    await gateway.api('POST', '/credentials', { body });
    const plain = await gateway.api('POST', '/credentials/c1/test');
    expect([plain.status, plain.json]).toEqual([
      200,
      { data: { status: 'ok', message: 'The fake accepts httpHeaderAuth at its service.' } },
    ]);
    const url = 'https://api.example.com/me';
    const { json } = await gateway.api('POST', '/credentials/c1/test', { body: { url } });
    expect(json).toMatchObject({ data: { message: `The fake accepts httpHeaderAuth at ${url}.` } });
  });

  it('refuses an invalid body, and names the field', async () => {
    await gateway.api('POST', '/credentials', { body });
    const { status, json } = await gateway.api('POST', '/credentials/c1/test', { body: { url: 7 } });
    expect([status, json]).toMatchObject([
      400,
      { error: { details: { fields: [{ field: 'url', message: 'must be a string' }] } } },
    ]);
  });

  it('is 404 for an unknown credential', async () => {
    expect((await gateway.api('POST', '/credentials/c9/test')).status).toBe(404);
  });
});
