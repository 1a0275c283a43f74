import type { ReplaceWorkflowRequest } from '@weft/proto/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

const body = { name: 'Two', nodes: [], connections: {}, active: true };

describe('PUT /api/v1/workflows/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  beforeEach(() => gateway.api('POST', '/workflows', { body: { name: 'One', nodes: [], connections: {} } }));

  it('returns the complete new workflow with its new ETag and leaves active unchanged', async () => {
    const { status, json, headers } = await gateway.api('PUT', '/workflows/w1', { body });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ id: 'w1', name: 'Two', active: false, nodes: [], connections: {} });
    expect(headers.get('etag')).toBe('"v1+"');
  });

  it('passes on key and management, and what ends them', async () => {
    await gateway.api('PUT', '/workflows/w1?key=a&managedBy=cli&set=s&source=f', { body });
    await gateway.api('PUT', '/workflows/w1?key=&managedBy=', { body });
    await gateway.api('PUT', '/workflows/w1', { body });
    const none = { by: '', set: '', source: '' };
    expect(
      gateway.workflows.callsOf('replaceWorkflow').map(({ request }) => {
        const { key, management } = request as ReplaceWorkflowRequest;
        return [key, management];
      }),
    ).toEqual([
      ['a', { by: 'cli', set: 's', source: 'f' }],
      ['', none],
      [undefined, undefined],
    ]);
  });

  it('replaces only if If-Match has the current state, otherwise 412 and no change', async () => {
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: { 'if-match': '"v1"' } })).status).toBe(200);
    const late = await gateway.api('PUT', '/workflows/w1', {
      body: { ...body, name: 'Three' },
      headers: { 'if-match': '"v1"' },
    });
    expect([late.status, late.json.error?.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: { 'if-match': 'W/"v1+"' } })).status).toBe(412);
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: { 'if-match': '*' } })).status).toBe(200);
    const either = { 'if-match': '"old", "v1++"' };
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: either })).status).toBe(200);
    expect(gateway.workflows.stored.get('w1')?.name).toBe('Two');
  });
});
