import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('ResolveWebhooks', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const create = async (path: string, parameters: object = {}, webhookId?: string) => {
    const hook = {
      ...webhook(path, parameters),
      typeVersion: 2,
      ...(webhookId === undefined ? {} : { webhookId }),
    };
    return (await service.gateway.createWorkflow(workflowOf([hook], { active: true }), service.as('u1', 'editor')))
      .workflow;
  };
  const resolve = async (...addresses: [string, string][]) =>
    (await service.gateway.resolveWebhooks({ addresses: addresses.map(([method, path]) => ({ method, path })) }))
      .webhooks;

  it('resolves each address in order: the node, its owner, its settings', async () => {
    const first = await create('resolve/a', { responseMode: 'lastNode' });
    const second = await create('resolve/b');
    const webhooks = await resolve(
      ['POST', 'resolve/b'],
      ['POST', 'none'],
      ['POST', 'resolve/a/'],
      ['POST', 'resolve/b'],
    );
    const expected = { found: true, ownerId: 'u1', node: 'Hook', pathParams: {}, otherMethods: [] };
    expect(webhooks).toMatchObject([
      { ...expected, workflowId: second?.id, versionId: second?.versionId },
      { found: false },
      { ...expected, workflowId: first?.id, versionId: first?.versionId },
      { ...expected, workflowId: second?.id },
    ]);
    expect(webhooks[2]?.settings).toMatchObject({
      $case: 'webhook',
      value: { responseMode: 'lastNode', callers: { authentication: 'none' } },
    });
  });

  it('reads path parameters, and prefers the more specific path', async () => {
    const open = await create('orders/:id/items/:item', {}, 'shop');
    const closed = await create('shop/orders/7/items/:item', {}, 'x');
    const fixed = await create('shop/orders/7/items/8');
    expect(
      await resolve(
        ['POST', 'shop/orders/1/items/ä b'],
        ['POST', 'x/shop/orders/7/items/9'],
        ['POST', 'shop/orders/7/items/8'],
      ),
    ).toMatchObject([
      // A more specific path can take their requests at any time, so these have no lease.
      { workflowId: open?.id, pathParams: { id: '1', item: 'ä b' }, leaseMs: 0 },
      { workflowId: closed?.id, pathParams: { item: '9' }, leaseMs: 0 },
      { workflowId: fixed?.id, pathParams: {}, leaseMs: 250 },
    ]);
  });

  it('returns the other methods of a path', async () => {
    await create('methods', { multipleMethods: true, httpMethod: ['GET', 'PUT'] });
    expect(await resolve(['POST', 'methods'], ['OPTIONS', 'methods'])).toMatchObject([
      { found: false, otherMethods: ['GET', 'PUT'] },
      { found: false, otherMethods: ['GET', 'PUT'] },
    ]);
  });

  it('finds a form next to a webhook at the same path, and refuses the path to other workflows', async () => {
    const form = () =>
      workflowOf(
        [
          {
            ...node('Form', 'formTrigger', {
              formTitle: 'T',
              options: { path: 'same' },
              formFields: { values: [{ fieldLabel: 'Name' }] },
            }),
            typeVersion: 2.2,
          },
        ],
        { active: true },
      );
    const hook = await create('same');
    const { workflow } = await service.gateway.createWorkflow(form(), service.as('u1', 'editor'));
    const [found, webhookThere] = await resolve(['FORM', 'same'], ['POST', 'same']);
    expect([found?.workflowId, found?.node, webhookThere?.workflowId]).toEqual([workflow?.id, 'Form', hook?.id]);
    expect(found?.settings).toMatchObject({
      $case: 'form',
      value: {
        callers: { authentication: 'none' },
        page: { title: 'T', fields: [{ name: 'Name', type: 'text' }] },
        hasPages: false,
      },
    });
    await expect(service.gateway.createWorkflow(form(), service.as('u1', 'editor'))).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
      message: expect.stringContaining('already has a form at same'),
    });
  });

  it('finds nothing for an unknown method', async () => {
    expect(await resolve(['X'.repeat(100), 'resolve/a'])).toMatchObject([{ found: false, otherMethods: ['POST'] }]);
  });

  it('uses a replacement at once', async () => {
    const before = await create('versioned');
    const { workflow } = await service.gateway.replaceWorkflow(
      {
        ...workflowOf([webhook('versioned', { responseMode: 'responseNode' })]),
        workflowId: before?.id ?? '',
        ifVersionId: '',
        ifEtags: [],
      },
      service.as('u1', 'editor'),
    );
    const [resolved] = await resolve(['POST', 'versioned']);
    expect(resolved?.versionId).toBe(workflow?.versionId);
    expect(resolved?.settings).toMatchObject({ value: { responseMode: 'responseNode' } });
  });

  it.each([
    ['POST', ''],
    ['POST', '/'],
    ['POST', 'x'.repeat(3_000)],
    ['POST', 'resolve/:a'],
    ['POST', Array(40).fill('a').join('/')],
    ['POST', '$where\u0000'],
  ])('finds nothing at an impossible address (%#)', async (method, path) => {
    expect(await resolve([method, path])).toMatchObject([{ found: false, otherMethods: [] }]);
  });

  it('answers five hundred addresses of concurrent calls, and refuses more in one call', async () => {
    await create('burst');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        resolve(...Array.from({ length: 10 }, (): [string, string] => ['POST', 'burst'])),
      ),
    );
    expect(answers.flat().filter(({ found }) => found)).toHaveLength(500);
    await expect(
      resolve(...Array.from({ length: 501 }, (): [string, string] => ['POST', 'burst'])),
    ).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'addresses' }] });
  });

  it('is allowed only to the gateway itself', async () => {
    const request = { addresses: [{ method: 'POST', path: 'burst' }] };
    await expect(service.fromRunner.resolveWebhooks(request)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(service.gateway.resolveWebhooks(request, service.as('u1', 'owner'))).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
