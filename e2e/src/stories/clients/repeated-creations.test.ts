import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { makeUser } from '../../support/users';

const PERIOD = { from: '2026-03-01T00:00:00Z', to: '2026-03-01T01:00:00Z' };
const SCHEDULED = {
  name: 'repeated',
  nodes: [
    {
      name: 'Every hour',
      type: 'n8n-nodes-base.scheduleTrigger',
      parameters: { rule: { interval: [{ field: 'hours' }] } },
    },
  ],
  connections: {},
};

describe('a client that repeats creations with an idempotency key at two gateways', () => {
  let stack: Stack;
  let one: Rest;
  let other: Rest;
  let tableId = '';
  let workflowId = '';
  beforeAll(async () => {
    stack = await borrowStack({ replicas: 2 });
    one = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    other = restClient(stack.baseUrls[1] ?? '', stack.apiKey);
    tableId = textOf(
      await one('POST', '/data-tables', { name: 'rows', columns: [{ name: 'a', type: 'number' }] }),
      'id',
    );
    workflowId = textOf(await one('POST', '/workflows', SCHEDULED), 'id');
  });
  afterAll(() => giveStackBack(stack));

  const CREATIONS: readonly (readonly [path: string, body: () => object, changed: () => object])[] = [
    ['/workflows', () => SCHEDULED, () => ({ ...SCHEDULED, name: 'other' })],
    [
      '/credentials',
      () => ({ name: 'c', type: 'httpHeaderAuth', data: { name: 'X', value: 'v' } }),
      () => ({ name: 'd', type: 'httpHeaderAuth', data: { name: 'X', value: 'v' } }),
    ],
    ['/variables', () => ({ key: 'repeated', value: '1' }), () => ({ key: 'repeated', value: '2' })],
    ['/data-tables', () => ({ name: 't', columns: [] }), () => ({ name: 'u', columns: [] })],
    ['/projects', () => ({ name: 'p' }), () => ({ name: 'q' })],
    [
      '/users',
      () => ({ email: 'r@weft.test', password: 'a long password', role: 'viewer' }),
      () => ({ email: 's@weft.test', password: 'a long password', role: 'viewer' }),
    ],
    ['/data-tables/:table/rows', () => ({ rows: [{ a: 1 }] }), () => ({ rows: [{ a: 2 }] })],
    ['/workflows/:workflow/backfill', () => PERIOD, () => ({ ...PERIOD, node: 'Every hour' })],
  ];

  it.each(CREATIONS)('creates one object with POST %s, and gets the same response', async (path, body, changed) => {
    const address = path.replace(':table', tableId).replace(':workflow', workflowId);
    const key = { 'idempotency-key': `once ${path}` };
    const together = await Promise.all([one, other, one, other].map((client) => client('POST', address, body(), key)));
    expect(together.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(together.map(({ text }) => text)).size).toBe(1);
    expect((await other('POST', address, changed(), key)).json.error).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  it('creates one API key, and is told its id, never its value, when it repeats', async () => {
    const key = { 'idempotency-key': 'key' };
    const created = await one('POST', '/keys', { name: 'repeated' }, key);
    const repeated = await other('POST', '/keys', { name: 'repeated' }, key);
    expect([created.status, repeated.status]).toEqual([201, 409]);
    expect(repeated.json.error?.details).toEqual({
      reason: 'RESPONSE_NOT_REPEATED',
      apiKeyId: dataOf(created)['id'],
    });
    expect(repeated.text).not.toContain(String(dataOf(created)['value']));
  });

  it('never gets the response made for another user', async () => {
    const key = { 'idempotency-key': 'shared' };
    const mine = await one('POST', '/workflows', SCHEDULED, key);
    const editorKey = await makeUser(stack, 'repeater', 'editor');
    const theirs = await restClient(stack.baseUrls[1] ?? '', editorKey)('POST', '/workflows', SCHEDULED, key);
    expect(theirs.status).toBe(201);
    expect(dataOf(theirs)['id']).not.toBe(dataOf(mine)['id']);
  });
});
