import { CATALOGUE_TAG, describedKind } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/node-types', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns every kind as data, with a tag', async () => {
    const { status, json, headers } = await gateway.api('GET', '/node-types');
    expect(status).toBe(200);
    expect(json.data).toEqual([describedKind('limit', [1]), describedKind('set', [1, 2])]);
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([`"${CATALOGUE_TAG}"`, 'private, no-cache']);
  });

  it('responds with 304 without a body to a client that has the tag, without fetching the catalogue', async () => {
    const { status, text, headers } = await gateway.api('GET', '/node-types', {
      headers: { 'if-none-match': `"${CATALOGUE_TAG}"` },
    });
    expect([status, text, headers.get('etag')]).toEqual([304, '', `"${CATALOGUE_TAG}"`]);
    expect(gateway.workflows.callsOf('listNodeTypes').map(({ request }) => request)).toEqual([
      { knownTag: CATALOGUE_TAG },
    ]);
  });

  it('returns everything to a client with another tag', async () => {
    expect((await gateway.api('GET', '/node-types', { headers: { 'if-none-match': '"fff"' } })).status).toBe(200);
    expect((await gateway.api('GET', '/node-types', { headers: { 'if-none-match': 'nonsense' } })).status).toBe(200);
  });

  it('requires authentication', async () => {
    expect((await gateway.api('GET', '/node-types', { key: 'weft_wrong' })).status).toBe(401);
  });
});

describe('GET /api/v1/node-types/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns one kind', async () => {
    const { status, json, headers } = await gateway.api('GET', '/node-types/set');
    expect([status, json.data, headers.get('etag')]).toEqual([200, describedKind('set', [1, 2]), `"${CATALOGUE_TAG}"`]);
  });

  it('responds with 304 to a client that has it', async () => {
    expect(
      (await gateway.api('GET', '/node-types/set', { headers: { 'if-none-match': `W/"${CATALOGUE_TAG}"` } })).status,
    ).toBe(304);
  });

  it('names an unknown kind', async () => {
    const { status, json } = await gateway.api('GET', '/node-types/nope');
    expect([status, json.error]).toMatchObject([404, { code: 'INVALID_REQUEST', details: { kind: 'nope' } }]);
  });
});

describe('POST /api/v1/node-types/:id/options', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());
  const post = (body: object) => gateway.api('POST', '/node-types/set/options', { body });

  it('returns a page of options, and passes on what they depend on', async () => {
    const question = {
      list: 'channels',
      version: 2.3,
      parameters: { select: 'channel' },
      credentialId: 'c1',
      search: 'ops',
    };
    const { status, json } = await post(question);
    expect([status, json]).toEqual([200, { data: [{ label: 'General', value: 'C1' }], nextCursor: 'more' }]);
    expect((await post({ list: 'channels', cursor: 'more' })).json.nextCursor).toBeNull();
    const { parameters, ...others } = question;
    expect(gateway.credentials.callsOf('listNodeOptions')[0]?.request).toEqual({
      ...others,
      type: 'set',
      parametersJson: JSON.stringify(parameters),
      cursor: '',
    });
  });

  it.each([{}, { list: '' }, { list: 'x', version: '2' }, { list: 'x', parameters: [] }, { list: 'x', other: 1 }])(
    'refuses the body %j without a call',
    async (body) => {
      expect((await post(body)).json.error).toMatchObject({ code: 'INVALID_REQUEST' });
      expect(gateway.credentials.callsOf('listNodeOptions')).toEqual([]);
    },
  );
});
