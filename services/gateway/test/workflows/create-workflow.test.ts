import { InternalError, ServiceError } from '@weft/service-kit/errors';
import { startGateway, type TestGateway } from '../support/start-gateway';

const body = {
  name: 'One',
  nodes: [{ name: 'S', type: 'weft-nodes-base.start', position: [1, 2], parameters: { a: { b: 1 } }, notes: 'n' }],
  connections: {},
  settings: { timezone: 'UTC' },
  pinData: {},
};

describe('POST /api/v1/workflows', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('responds with 201, id, name, active and createdAt, and its location', async () => {
    const { status, json, headers } = await gateway.api('POST', '/workflows', { body });
    expect([status, json]).toEqual([
      201,
      { data: { id: 'w1', name: 'One', active: false, createdAt: '2026-01-02T03:04:05.678Z' } },
    ]);
    expect(headers.get('location')).toBe('/api/v1/workflows/w1');
  });

  it.each([
    ['POST', '/workflows'],
    ['PUT', '/workflows/w1'],
    ['POST', '/workflows/w1/activate'],
  ])('%s %s shows warnings next to the data, and nothing if there are none', async (method, path) => {
    const fields = method === 'POST' && path.endsWith('activate') ? {} : { body };
    await gateway.api('POST', '/workflows', { body });
    expect(Object.keys((await gateway.api(method, path, fields)).json)).toEqual(['data']);
    const warning = { field: 'connections["A"].main[0][0].node', message: 'No node is called "b".' };
    gateway.workflows.warnings.push(warning);
    expect((await gateway.api(method, path, fields)).json).toMatchObject({ data: {}, warnings: [warning] });
  });

  it('passes on the definition byte by byte, without the line break at the end of a file', async () => {
    const text = `{ "active": true, "big": 12345678901234567890123, "one": 1.0,\n ${JSON.stringify(body).slice(1)}`;
    await gateway.api('POST', '/workflows', { body: `${text}\r\n` });
    expect(gateway.workflows.callsOf('createWorkflow')).toEqual([
      expect.objectContaining({
        userId: 'user-1',
        request: { active: true, definition: Buffer.from(text), summary: true },
      }),
    ]);
  });

  it('accepts a body without connections, settings and active', async () => {
    expect((await gateway.api('POST', '/workflows', { body: { name: 'n', nodes: [], settings: null } })).status).toBe(
      201,
    );
  });

  it('accepts a body of nearly 10 MB', async () => {
    expect((await gateway.api('POST', '/workflows', { body: { ...body, notes: 'x'.repeat(9_900_000) } })).status).toBe(
      201,
    );
  });

  it('is 409 when a webhook path is taken, with the reason and the holder', async () => {
    gateway.workflows.fail(
      'createWorkflow',
      new ServiceError({
        reason: 'WEBHOOK_PATH_TAKEN',
        kind: 'conflict',
        message: 'Taken.',
        details: { workflowId: 'w9' },
      }),
    );
    const { status, json } = await gateway.api('POST', '/workflows', { body });
    expect([status, json.error]).toEqual([
      409,
      { code: 'CONFLICT', message: 'Taken.', details: { reason: 'WEBHOOK_PATH_TAKEN', workflowId: 'w9' } },
    ]);
  });

  it('is 500 without any detail when the service has an internal error', async () => {
    gateway.workflows.fail('createWorkflow', new InternalError(new Error('secret detail')));
    const { status, json, text } = await gateway.api('POST', '/workflows', { body });
    expect([status, json.error?.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(text).not.toContain('secret');
  });
});
