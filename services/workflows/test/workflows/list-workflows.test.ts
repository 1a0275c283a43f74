import { node, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('ListWorkflows', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const viewer = () => service.as('u2', 'viewer');
  const create = async (name: string, size = 1) =>
    (
      await service.gateway.createWorkflow(
        workflowOf([node('Set', 'set', { a: 'x'.repeat(size) })], { name }),
        editor(),
      )
    ).workflow?.id ?? '';
  const readAll = async (limit: number): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | undefined; cursor !== '' && pages.length < 100;) {
      const page = await service.gateway.listWorkflows({ limit, cursor: cursor ?? '', summary: false }, viewer());
      pages.push(page.workflows.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    return pages;
  };

  it('pages newest first, with an empty cursor on the last page, and leaves out deleted workflows', async () => {
    expect(await readAll(5)).toEqual([[]]);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await create(`w${n}`));
    await service.gateway.deleteWorkflow({ workflowId: ids[3] ?? '', ifEtags: [] }, editor());
    expect(await readAll(5)).toEqual([['w11', 'w10', 'w9', 'w8', 'w7'], ['w6', 'w5', 'w4', 'w2', 'w1'], ['w0']]);
    expect(await readAll(11)).toEqual([['w11', 'w10', 'w9', 'w8', 'w7', 'w6', 'w5', 'w4', 'w2', 'w1', 'w0']]);
  });

  it('keeps its position while workflows are created and deleted', async () => {
    const first = await service.gateway.listWorkflows({ limit: 3, cursor: '', summary: false }, viewer());
    const [, , third] = first.workflows;
    await service.gateway.deleteWorkflow({ workflowId: third?.id ?? '', ifEtags: [] }, editor());
    await create('new');
    const second = await service.gateway.listWorkflows(
      { limit: 3, cursor: first.nextCursor, summary: false },
      viewer(),
    );
    expect(second.workflows.map(({ name }) => name)).toEqual(['w8', 'w7', 'w6']);
  });

  it('returns the workflows with given ids alone, and refuses more than 100 ids', async () => {
    const page = { limit: 20, cursor: '', summary: true };
    const all = (await service.gateway.listWorkflows(page, viewer())).workflows.map(({ id }) => id);
    const values = [all[2] ?? '', all[0] ?? '', 'none'];
    const { workflows, nextCursor } = await service.gateway.listWorkflows({ ...page, ids: { values } }, viewer());
    expect([workflows.map(({ id }) => id), nextCursor]).toEqual([[all[0], all[2]], '']);
    const many = { values: Array.from({ length: 101 }, (_, n) => `w${n}`) };
    await expect(service.gateway.listWorkflows({ ...page, ids: many }, viewer())).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
  });

  it('outlines each definition: its nodes and enabled triggers with their addresses', async () => {
    const nodes = [
      node('Hook', 'webhook', { path: 'outline', httpMethod: 'POST' }),
      { ...node('Off', 'webhook', { path: 'off' }), disabled: true },
      node('Manual', 'manualTrigger'),
      node('Set', 'set'),
    ];
    const created = await service.gateway.createWorkflow(workflowOf(nodes, { name: 'outlined' }), editor());
    const workflowId = created.workflow?.id ?? '';
    const outline = async () =>
      (
        await service.gateway.listWorkflows(
          { limit: 1, cursor: '', summary: true, ids: { values: [workflowId] } },
          viewer(),
        )
      ).workflows[0]?.outline;
    expect(await outline()).toEqual({
      nodeCount: 4,
      triggers: [
        { node: 'Hook', kind: 'webhook', path: 'outline', methods: 'POST' },
        { node: 'Manual', kind: 'manualTrigger' },
      ],
    });
    const { definition } = workflowOf([node('Only', 'manualTrigger')], { name: 'outlined' });
    await service.gateway.replaceWorkflow({ workflowId, definition, ifVersionId: '', ifEtags: [] }, editor());
    expect(await outline()).toEqual({ nodeCount: 1, triggers: [{ node: 'Only', kind: 'manualTrigger' }] });
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, editor());
  });

  it('returns whole workflows, as GetWorkflow does', async () => {
    const {
      workflows: [newest],
    } = await service.gateway.listWorkflows({ limit: 1, cursor: '', summary: false }, viewer());
    expect(await service.gateway.getWorkflow({ workflowId: newest?.id ?? '', knownEtags: [] }, viewer())).toMatchObject(
      { workflow: newest },
    );
  });

  it('returns summaries without definitions, with the same order, cursors and etags', async () => {
    const page = { limit: 3, cursor: '' };
    const whole = await service.gateway.listWorkflows({ ...page, summary: false }, viewer());
    expect(await service.gateway.listWorkflows({ ...page, summary: true }, viewer())).toEqual({
      workflows: whole.workflows.map((workflow) => ({ ...workflow, definition: Buffer.alloc(0) })),
      nextCursor: whole.nextCursor,
    });
  });

  it('shortens a page whose definitions would exceed 3 MiB, to at least one workflow', async () => {
    for (let n = 0; n < 4; n += 1) await create(`large${n}`, 1_500_000);
    await create('huge', 5_000_000);
    const pages = await readAll(100);
    expect(pages.slice(0, 3)).toEqual([
      ['huge'],
      ['large3', 'large2'],
      ['large1', 'large0', ...(pages[2]?.slice(2) ?? [])],
    ]);
  });

  it.each([
    [{ limit: 101, cursor: '' }, 'limit'],
    [{ limit: 5, cursor: 'v1.nonsense' }, 'cursor'],
    [{ limit: 5, cursor: 'x' }, 'cursor'],
  ])('refuses %j', async (request, field) => {
    await expect(service.gateway.listWorkflows({ ...request, summary: false }, viewer())).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field }],
    });
  });

  it('is allowed to users only', async () => {
    await expect(service.fromExecutions.listWorkflows({ limit: 5, cursor: '', summary: false })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
