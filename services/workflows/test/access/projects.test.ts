import { uuidv7 } from '@weft/service-kit/ids';
import type { Principal, Role } from '@weft/service-kit/auth';
import { definitionOf, node, requestOf, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

interface Made {
  readonly id: string;
  readonly ownerId: string;
}

interface Page {
  readonly found: readonly Made[];
  readonly nextCursor: string;
}

type Caller = { readonly principal: Principal };
type Asked = { readonly limit: number; readonly cursor: string; readonly projectId?: string };

/** A kind of object with an owner: how to create it, and how to read a page of it. */
interface Kind {
  readonly make: (service: TestService, name: string, projectId: string | undefined, caller: Caller) => Promise<Made>;
  readonly page: (service: TestService, asked: Asked, caller: Caller) => Promise<Page>;
}

const ownerOf = (projectId: string | undefined) => (projectId === undefined ? {} : { projectId });
const NOTHING = { id: '', ownerId: '' };

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    'workflows',
    {
      make: async ({ gateway }, name, projectId, caller) =>
        (await gateway.createWorkflow({ ...workflowOf([node('Set', 'set')], { name }), ...ownerOf(projectId) }, caller))
          .workflow ?? NOTHING,
      page: async ({ gateway }, asked, caller) => {
        const { workflows, nextCursor } = await gateway.listWorkflows({ ...asked, summary: true }, caller);
        return { found: workflows, nextCursor };
      },
    },
  ],
  [
    'variables',
    {
      make: async ({ variables }, key, projectId, caller) =>
        (await variables.createVariable({ key, value: 'v', ...ownerOf(projectId) }, caller)).variable ?? NOTHING,
      page: async ({ variables }, asked, caller) => {
        const { variables: found, nextCursor } = await variables.listVariables(asked, caller);
        return { found, nextCursor };
      },
    },
  ],
  [
    'data tables',
    {
      make: async ({ dataTables }, name, projectId, caller) =>
        (await dataTables.createDataTable({ name, columns: [], claim: undefined, ...ownerOf(projectId) }, caller))
          .dataTable ?? NOTHING,
      page: async ({ dataTables }, asked, caller) => {
        const { dataTables: found, nextCursor } = await dataTables.listDataTables(
          { ...asked, claim: undefined },
          caller,
        );
        return { found, nextCursor };
      },
    },
  ],
];

describe.each(KINDS)('%s of a project', (_, { make, page }) => {
  let service: TestService;
  const project = uuidv7();
  const other = uuidv7();
  const self = uuidv7();
  let made = 0;
  const name = (): string => {
    made += 1;
    return `n${made}`;
  };
  const as = (role: Role, ...projects: string[]): Caller => service.as(self, role, ...projects);
  const makeIn = (projectId: string | undefined, caller: Caller) => make(service, name(), projectId, caller);
  const count = async (): Promise<number> =>
    (await page(service, { limit: 100, cursor: '' }, as('owner'))).found.length;

  beforeAll(async () => {
    service = await startService();
    service.destinations.add(project).add(other);
  });
  afterAll(() => service.stop());

  it('are created there by its editors and instance admins, and otherwise belong to their creator', async () => {
    expect((await makeIn(project, as('editor', project))).ownerId).toBe(project);
    for (const role of ['admin', 'owner'] as const) expect((await makeIn(project, as(role))).ownerId).toBe(project);
    expect((await makeIn(undefined, as('editor', project))).ownerId).toBe(self);
    // The id of the creator is that of the creator's personal project.
    expect((await makeIn(self, as('editor'))).ownerId).toBe(self);
  });

  it('are not created by anyone else, or in a missing project, whatever the caller', async () => {
    const before = await count();
    for (const [caller, projectId, reason] of [
      [as('editor', other), project, 'FORBIDDEN'],
      [as('editor'), project, 'FORBIDDEN'],
      [as('viewer', project), project, 'FORBIDDEN'],
      [as('owner'), uuidv7(), 'PROJECT_NOT_FOUND'],
      [as('editor', project), uuidv7(), 'PROJECT_NOT_FOUND'],
      [as('owner'), 'nowhere', 'PROJECT_NOT_FOUND'],
      [as('owner'), '', 'PROJECT_NOT_FOUND'],
    ] as const)
      await expect(makeIn(projectId, caller)).rejects.toMatchObject({ reason });
    expect(await count()).toBe(before);
  });

  it('are listed separately, in pages that neither repeat nor skip while others are added', async () => {
    const owner = uuidv7();
    service.destinations.add(owner);
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      ids.unshift((await makeIn(owner, as('owner'))).id);
      await makeIn(other, as('owner'));
    }
    const found: string[] = [];
    let cursor = '';
    do {
      const next = await page(service, { limit: 3, cursor, projectId: owner }, as('viewer'));
      found.push(...next.found.map(({ id }) => id));
      cursor = next.nextCursor;
      await makeIn(owner, as('owner'));
    } while (cursor !== '');
    expect(found).toEqual(ids);
    expect(await page(service, { limit: 3, cursor: '', projectId: uuidv7() }, as('viewer'))).toEqual({
      found: [],
      nextCursor: '',
    });
  });

  it('are listed as each caller requested, even if different lists are requested concurrently', async () => {
    const [one, two] = [await makeIn(project, as('owner')), await makeIn(other, as('owner'))];
    const ask = { limit: 1, cursor: '' };
    const pages = await Promise.all([
      page(service, { ...ask, projectId: project }, as('viewer')),
      page(service, { ...ask, projectId: other }, as('viewer')),
      page(service, ask, as('viewer')),
    ]);
    expect(pages.map(({ found }) => found.map(({ id }) => id))).toEqual([[one.id], [two.id], [two.id]]);
  });

  it('are not listed for an invalid id, nor continued by the cursor of another list', async () => {
    for (const projectId of ['', 'nowhere'])
      await expect(page(service, { limit: 1, cursor: '', projectId }, as('viewer'))).rejects.toMatchObject({
        fields: [{ field: 'projectId' }],
      });
    await makeIn(project, as('owner'));
    await makeIn(project, as('owner'));
    const { nextCursor: cursor } = await page(service, { limit: 1, cursor: '', projectId: project }, as('viewer'));
    for (const asked of [{ projectId: other }, {}])
      await expect(page(service, { limit: 1, cursor, ...asked }, as('viewer'))).rejects.toMatchObject({
        fields: [{ field: 'cursor' }],
      });
  });
});

describe('a project whose members use up its limits', () => {
  let service: TestService;
  const project = uuidv7();
  const [ada, bob, healthy] = [uuidv7(), uuidv7(), uuidv7()];
  beforeAll(async () => {
    service = await startService();
    service.destinations.add(project);
  });
  afterAll(() => service.stop());

  /** Objects that two members each create in the project until they are refused; returns their number and the error. */
  const fill = async (make: (name: string, caller: Caller) => Promise<unknown>) => {
    let made = 0;
    const reasons = await Promise.all(
      [ada, bob].map(async (userId) => {
        const caller = service.as(userId, 'editor', project);
        for (let n = 0; n < 1_000; n += 1) {
          try {
            await make(`${userId.slice(-6)}_${n}`.replaceAll('-', '_'), caller);
            made += 1;
          } catch (error) {
            return error;
          }
        }
        return undefined;
      }),
    );
    return { made, reasons };
  };

  it('fills no more than its share of the data tables, however many members create them', async () => {
    const { made, reasons } = await fill((name, caller) =>
      service.dataTables.createDataTable({ name, columns: [], claim: undefined, projectId: project }, caller),
    );
    for (const reason of reasons) expect(reason).toMatchObject({ reason: 'TOO_MANY_DATA_TABLES' });
    // Two concurrent creations may exceed it by one.
    expect([160, 161]).toContain(made);
    const own = { name: 'of the healthy one', columns: [], claim: undefined };
    await service.dataTables.createDataTable(own, service.as(healthy, 'editor'));
  });

  it('fills no more than its share of the variables', async () => {
    const { made, reasons } = await fill((key, caller) =>
      service.variables.createVariable({ key, value: 'v', projectId: project }, caller),
    );
    for (const reason of reasons) expect(reason).toMatchObject({ reason: 'TOO_MANY_VARIABLES' });
    expect([400, 401]).toContain(made);
    await service.variables.createVariable({ key: 'healthy', value: 'v' }, service.as(healthy, 'editor'));
  });
});

describe('the contents of a project', () => {
  let service: TestService;
  const project = uuidv7();
  beforeAll(async () => {
    service = await startService();
    service.destinations.add(project);
  });
  afterAll(() => service.stop());

  it('include the versions of its workflows, whose runs belong to it', async () => {
    const caller = service.as(uuidv7(), 'editor', project);
    const { workflow } = await service.gateway.createWorkflow(
      { ...workflowOf([node('Set', 'set')]), projectId: project },
      caller,
    );
    const { versions } = await service.fromExecutions.getVersions({ versionIds: [workflow?.versionId ?? ''] });
    expect(versions).toMatchObject([{ ownerId: project }]);
  });

  it('are not part of a definition: the field of a body is not stored', async () => {
    const text = JSON.stringify({ name: 'n', nodes: [node('Set', 'set')], connections: {}, projectId: project });
    const { workflow } = await service.gateway.createWorkflow(requestOf(text), service.as('u1', 'editor'));
    expect(definitionOf(workflow)).not.toHaveProperty('projectId');
    expect(workflow?.ownerId).toBe('u1');
  });

  it('are never chosen by a run: its tables belong to the owner of its workflow', async () => {
    const executionId = uuidv7();
    service.executions.setClaim(executionId, { fence: 1, workflowId: 'w1' });
    const table = { name: 'of a run', columns: [], claim: { executionId, fence: 1 } };
    await expect(service.dataTablesForRuns.createDataTable({ ...table, projectId: project })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    expect((await service.dataTablesForRuns.createDataTable({ ...table, projectId: 'u1' })).dataTable?.ownerId).toBe(
      'u1',
    );
  });
});
