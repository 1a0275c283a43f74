import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

const body = { key: 'API_URL', value: 'https://api' };
const shown = {
  id: 'var1',
  ...body,
  type: 'string',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('POST /api/v1/variables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers 201 with the variable', async () => {
    const { status, json, headers } = await gateway.api('POST', '/variables', { key: KEYS.editor, body });
    expect([status, json, headers.get('location')]).toEqual([201, { data: shown }, '/api/v1/variables/var1']);
    expect(gateway.variables.callsOf('createVariable')).toMatchObject([{ request: body }]);
  });

  it('is 400 for a body that lacks a field or has others', async () => {
    const { status, json } = await gateway.api('POST', '/variables', { body: { key: 'a', name: 1 } });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'name' }, { field: 'value' }] }]);
  });
});
