import { CATALOGUE_TAG } from './peers/workflows';
import { startGateway, type TestGateway } from './start-gateway';

describe('GET /api/v1/node-types/:kind', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('gives one kind', async () => {
    const { status, json, headers } = await gateway.api('GET', '/node-types/set');
    expect([status, json.data, headers.get('etag')]).toEqual([
      200,
      { kind: 'set', versions: [1, 2] },
      `"${CATALOGUE_TAG}"`,
    ]);
  });

  it('answers 304 to a client that has it', async () => {
    expect(
      (await gateway.api('GET', '/node-types/set', { headers: { 'if-none-match': `W/"${CATALOGUE_TAG}"` } })).status,
    ).toBe(304);
  });

  it('names the kind that does not exist', async () => {
    const { status, json } = await gateway.api('GET', '/node-types/nope');
    expect([status, json.error]).toMatchObject([404, { code: 'INVALID_REQUEST', details: { kind: 'nope' } }]);
  });
});
