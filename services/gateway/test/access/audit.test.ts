import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/audit', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const idsOf = (data: unknown): unknown[] => (Array.isArray(data) ? data.map(({ id }: { id: unknown }) => id) : []);

  it('merges the records of all services, newest first, page by page, without duplicates', async () => {
    for (const second of [1, 4, 5]) gateway.audit.credentials.add(second);
    for (const second of [2, 3, 6, 7]) gateway.audit.workflows.add(second);
    const ids: unknown[] = [];
    let cursor: string | null | undefined = '';
    while (typeof cursor === 'string') {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { json } = await gateway.api('GET', `/audit?limit=2${query}`);
      ids.push(...idsOf(json.data));
      cursor = json.nextCursor;
    }
    expect(ids).toEqual([
      'workflows-7',
      'workflows-6',
      'credentials-5',
      'credentials-4',
      'workflows-3',
      'workflows-2',
      'credentials-1',
    ]);
  });

  it('shows who did what, when and from where, and passes filters on to every service', async () => {
    gateway.audit.credentials.add(1);
    const { json } = await gateway.api(
      'GET',
      '/audit?actor=u1&action=user.lock&target=u2&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
    );
    expect(json).toEqual({
      data: [
        {
          id: 'credentials-1',
          at: '2026-01-02T03:04:01.000Z',
          action: 'user.lock',
          actor: 'u1',
          about: { userId: 'u2' },
          outcome: 'done',
          clientAddress: '198.51.100.7',
          requestId: 'r1',
          service: 'credentials',
        },
      ],
      nextCursor: null,
    });
    for (const peer of [gateway.audit.credentials, gateway.audit.workflows])
      expect(peer.callsOf('listAudit')).toMatchObject([
        { request: { limit: 20, actor: 'u1', action: 'user.lock', target: 'u2', from: new Date('2026-01-01') } },
      ]);
  });

  it('is 400 for a time without a zone, and 403 for an editor', async () => {
    const { status, json } = await gateway.api('GET', '/audit?from=2026-01-01');
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'from' }] }]);
    expect((await gateway.api('GET', '/audit', { key: KEYS.editor })).status).toBe(403);
  });
});
