import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase, type Database, migrate } from '@weft/service-kit/mongo';
import { testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { rowModel, type RowDocument } from '../../src/store/data-tables/data-table-schema';
import { hookModel, type HookDocument } from '../../src/store/hooks/hook-schema';
import { hookQueries } from '../../src/store/hooks/hook-store';
import { SCHEMA } from '../../src/store/indexes';
import type { WorkflowFilter } from '../../src/domain/ports';
import { createWorkflowStore } from '../../src/store/workflows/workflow-store';
import { ownershipQueries, versionQueries, workflowQueries, type StoreQuery } from '../../src/store/queries';
import { rowQueries } from '../../src/store/data-tables/row-queries';
import { stateModel, stateQueries, type StateDocument } from '../../src/store/state-store';
import { versionModel, type VersionDocument } from '../../src/store/workflows/version-schema';
import { workflowModel, type WorkflowDocument } from '../../src/store/workflows/workflow-schema';
import { shownPlan, type ShownPlan } from '../support/query-plan';

const COUNT = 20_000;
const BATCH = 2_000;

const UNFILTERED = { key: undefined, managedBy: undefined, set: undefined, active: undefined, mcpTools: undefined };

const activation = (n: number): NonNullable<WorkflowDocument['activation']> => ({
  id: uuidv7(),
  versionId: 'v',
  routes: n % 10 === 0 ? [{ key: `POST p${n}`, method: 'POST', path: `p${n}`, node: 'Hook' }] : [],
  ...(n % 10 === 0
    ? { schedules: [] }
    : {
        schedules: [
          {
            node: 'Clock',
            index: 0,
            rule: { kind: 'everySeconds', every: 1 },
            item: 'clock',
            nextAt: new Date(n * 1_000),
          },
        ],
        checkAt: new Date(n * 1_000),
      }),
});

const management = (n: number): NonNullable<WorkflowDocument['managed']> => ({
  by: n % 8 === 0 ? 'kubernetes' : 'cli',
  set: `s${n % 100}`,
  source: '',
  appliedVersionId: 'v',
  appliedAt: new Date(),
});

const workflow = (n: number): WorkflowDocument => ({
  _id: uuidv7(),
  name: `n${n}`,
  ownerId: `u${n % 50}`,
  active: n % 5 === 0,
  versionId: 'v',
  definitionBytes: 1_000,
  createdAt: new Date(),
  updatedAt: new Date(),
  isDeleted: n % 7 === 1,
  ...(n % 5 === 0 ? { activation: activation(n) } : {}),
  ...(n % 1_000 === 0 ? { routesRelease: `r${n}` } : {}),
  ...(n % 4 === 0 ? { key: `k${n}`, managed: management(n) } : {}),
  ...(n % 40 === 0 ? { isMcpTool: true } : {}),
});

const version = (n: number): VersionDocument => ({
  _id: uuidv7(),
  workflowId: `w${n % 2_000}`,
  ownerId: 'u',
  definition: '{}',
  bytes: 2,
  typeVersions: [],
  credentialIds: [`c${n % 500}`],
  createdAt: new Date(),
  ...(n % 3 === 0 ? { reviewAt: new Date(n * 1_000) } : {}),
});

const hook = (n: number): HookDocument => ({
  _id: `h${n}`,
  workflowId: `w${n}`,
  ownerId: `o${n}`,
  node: 'Bot',
  kind: 'telegramTrigger',
  version: 1,
  path: `p${n}/webhook`,
  parametersJson: '{}',
  credentialType: 'telegramApi',
  credentialId: `c${n}`,
  exclusiveKey: `k${n}`,
  sealedSecret: 's',
  isAttempted: true,
  base: 'https://weft.example',
  nextAt: new Date(n),
  failures: 0,
  message: '',
  revision: 1,
});

const stateEntry = (n: number): StateDocument => ({
  _id: `w${n % 100}:n${n}`,
  workflowId: `w${n % 100}`,
  name: `n${n}`,
  ownerId: 'u',
  version: 1,
  valueJson: '1',
  writer: { executionId: 'e', fence: 1 },
  writes: [],
  createdAt: new Date(),
  updatedAt: new Date(),
});

const row = (n: number): RowDocument => ({
  _id: `t${n % 20}:${n}`,
  tableId: `t${n % 20}`,
  rowId: n,
  cells: { a: n },
  insertedBy: `m${n}`,
  ...(n % 3 === 0 ? { writtenBy: [`m${n % 7}`] } : {}),
  createdAt: new Date(),
  updatedAt: new Date(),
});

describe(`with ${COUNT} workflows`, () => {
  let database: Database;
  const ids: string[] = [];

  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), uniqueName('workflows_plans'));
    await migrate(database.connection, SCHEMA);
    for (let from = 0; from < COUNT; from += BATCH) {
      const workflows = Array.from({ length: BATCH }, (_, index) => workflow(from + index));
      ids.push(...workflows.map(({ _id }) => _id));
      await workflowModel(database.connection).insertMany(workflows, { lean: true, ordered: false });
      await versionModel(database.connection).insertMany(
        Array.from({ length: BATCH }, (_, index) => version(from + index)),
        { lean: true, ordered: false },
      );
    }
  });
  afterAll(async () => {
    await database.connection.dropDatabase();
    await database.close();
  });

  const planOf = async ({ filter, options }: StoreQuery<WorkflowDocument>): Promise<ShownPlan> =>
    shownPlan(
      await workflowModel(database.connection)
        .find(filter, {}, { ...options, limit: 20 })
        .explain(),
    );
  const middle = () => ids[COUNT / 2] ?? '';

  const filtered = (given: Partial<WorkflowFilter>, ownerId?: string): StoreQuery<WorkflowDocument> => {
    const none = { ...UNFILTERED, search: undefined };
    const query = workflowQueries.filteredPage({ ...none, ...given }, middle(), ownerId);
    return { ...query, filter: { ...query.filter, ...query.compared } };
  };

  const queries: [string, () => StoreQuery<WorkflowDocument>][] = [
    ['the first page', () => workflowQueries.page(undefined)],
    ['a page in the middle', () => workflowQueries.page(middle())],
    ['the first page of an owner', () => workflowQueries.page(undefined, 'u7')],
    ['a page of an owner in the middle', () => workflowQueries.page(middle(), 'u7')],
    ['a filtered page', () => filtered({ search: 'n1', active: true })],
    ['a filtered page of an owner', () => filtered({ managedBy: 'cli' }, 'u7')],
    ['some workflows of a list', () => filtered({ ids: ids.slice(100, 120) })],
    ['some workflows of a list of an owner', () => filtered({ ids: ids.slice(100, 120) }, 'u7')],
    ['a page of tools', () => filtered({ mcpTools: true, active: true })],
    ['a page of a set', () => filtered({ set: 's8' })],
    ['a filtered page of a set', () => filtered({ set: 's8', search: 'n1' })],
    ['the workflow with a key', () => filtered({ key: 'k8', active: true })],
    ['the holder of a key', () => workflowQueries.keyHolder('k8')],
    ['one workflow', () => workflowQueries.one(middle())],
    ['the workflows of a user', () => ownershipQueries.workflows('u7')],
    ['some workflows', () => workflowQueries.many(ids.slice(100, 120))],
    [
      'a compare-and-set',
      () => workflowQueries.seen({ id: middle(), versionId: 'v', activationId: 'a', updatedAt: new Date() }),
    ],
    [
      'a compare-and-set of an inactive one',
      () => workflowQueries.seen({ id: middle(), versionId: 'v', activationId: undefined, updatedAt: new Date() }),
    ],
    ['the listeners of some routes', () => workflowQueries.listeners(['POST p10', 'POST p20', 'POST none'])],
    ['the releases of routes', () => workflowQueries.releases()],
    ['some releases of routes', () => workflowQueries.released(['r10', 'r20'])],
    [
      'the routes of others that overlap with some',
      () => workflowQueries.overlaps({ from: 'POST p/', to: 'POST p0' }, '^POST p/[^/]+$', 'u1'),
    ],
    ['what is due', () => workflowQueries.due(new Date(100_000), undefined)],
    ['what is due, continued', () => workflowQueries.due(new Date(100_000), new Date(50_000))],
    ['what is due at one time', () => workflowQueries.dueAt(new Date(15_000), middle())],
    ['the step of schedules', () => workflowQueries.standing(middle(), 'a', new Date(1))],
  ];
  it.each(queries)('%s uses its index', async (_, query) => {
    const plan = await planOf(query());
    expect(plan).toMatchObject({ isFullScan: false });
    expect(plan.indexes).toEqual([query().index]);
  });

  it('pages are read in the order of their index', async () => {
    expect(await planOf(workflowQueries.page(undefined))).toMatchObject({ isSorted: false });
    expect(await planOf(workflowQueries.page(middle()))).toMatchObject({ isSorted: false });
    expect(await planOf(workflowQueries.page(undefined, 'u7'))).toMatchObject({ isSorted: false });
    expect(await planOf(workflowQueries.page(middle(), 'u7'))).toMatchObject({ isSorted: false });
    expect(await planOf(filtered({ set: 's8', search: 'n1' }))).toMatchObject({ isSorted: false });
    expect(await planOf(filtered({ search: 'n1' }))).toMatchObject({ isSorted: false });
    expect(await planOf(filtered({ mcpTools: true }))).toMatchObject({ isSorted: false });
  });

  it('a page compares a bounded number of workflows with a filter, and continues after them', async () => {
    const store = createWorkflowStore(database.connection);
    const none = UNFILTERED;
    let pages = 0;
    const found: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await store.page({ ...none, search: 'N0' }, after, 21);
      pages += 1;
      if (!('lastId' in page)) {
        found.push(...page.map(({ name }) => name));
        break;
      }
      found.push(...page.items.map(({ name }) => name));
      after = page.lastId;
    }
    // 17,142 of the 20,000 are not deleted.
    expect([pages, found]).toEqual([4, ['n0']]);
  });

  it('due workflows are read in the order of their index', async () => {
    expect(await planOf(workflowQueries.due(new Date(100_000), undefined))).toMatchObject({ isSorted: false });
    expect(await planOf(workflowQueries.due(new Date(100_000), new Date(50_000)))).toMatchObject({ isSorted: false });
    expect(await planOf(workflowQueries.dueAt(new Date(15_000), middle()))).toMatchObject({ isSorted: false });
  });

  it('versions to review are read in the order of their index, and written by id', async () => {
    const model = versionModel(database.connection);
    const due = versionQueries.due(new Date(100_000));
    expect(shownPlan(await model.find(due.filter, {}, { ...due.options, limit: 20 }).explain())).toMatchObject({
      isFullScan: false,
      isSorted: false,
      indexes: [due.index],
    });
    const page = versionQueries.ofWorkflow('w7', undefined);
    expect(shownPlan(await model.find(page.filter, {}, { ...page.options, limit: 20 }).explain())).toMatchObject({
      isFullScan: false,
      isSorted: false,
      indexes: [page.index],
    });
    for (const query of [versionQueries.unused(['a', 'b']), versionQueries.reviewed('a', new Date(1))]) {
      expect(shownPlan(await model.find(query.filter, {}, query.options).explain())).toMatchObject({
        isFullScan: false,
        indexes: [query.index],
      });
    }
  });

  it('versions are read by id', async () => {
    const model = versionModel(database.connection);
    for (const query of [versionQueries.byIds(['a', 'b']), versionQueries.one('a')]) {
      expect(shownPlan(await model.find(query.filter).explain())).toMatchObject({
        isFullScan: false,
        indexes: [query.index],
      });
    }
  });

  it('persistent state is read by key, and by workflow', async () => {
    const model = stateModel(database.connection);
    await model.insertMany(
      Array.from({ length: BATCH }, (_, n) => stateEntry(n)),
      { lean: true, ordered: false },
    );
    for (const query of [
      stateQueries.one('w1', 'n'),
      stateQueries.atVersion('w1', 'n', 1),
      stateQueries.withoutChats('w1'),
      stateQueries.chats('w1'),
      stateQueries.chatsBefore('w1', undefined),
      stateQueries.chatsBefore('w1', new Date()),
      stateQueries.chatsAt('w1', new Date(), 'n'),
      stateQueries.ofWorkflow('w1'),
    ]) {
      expect(shownPlan(await model.find(query.filter, {}, query.options).explain())).toMatchObject({
        isFullScan: false,
        indexes: [query.index],
      });
    }
  });

  it('rows are read within their table, and by their operation', async () => {
    const model = rowModel(database.connection);
    await model.insertMany(
      Array.from({ length: BATCH }, (_, n) => row(n)),
      { lean: true, ordered: false },
    );
    const some = { matchAll: true, conditions: [{ column: 'a', comparison: { kind: 'greater' as const, value: 1 } }] };
    const part = { filter: some, orderBy: 'id', descending: false, skip: 0, afterId: 5, limit: 10 };
    for (const query of [
      rowQueries.matching('t1', some),
      rowQueries.part('t1', part),
      rowQueries.part('t1', { ...part, orderBy: 'a', afterId: undefined }),
      rowQueries.inserted(['m1', 'm2']),
      rowQueries.written('m1'),
      rowQueries.insertedFrom('m1'),
      rowQueries.byIds('t1', [1, 2]),
    ]) {
      expect(shownPlan(await model.find(query.filter, {}, query.options).explain())).toMatchObject({
        isFullScan: false,
        indexes: [query.index],
      });
    }
  });

  it('hooks are read by their time, workflow, owner, credential and key', async () => {
    const model = hookModel(database.connection);
    await model.insertMany(
      Array.from({ length: BATCH }, (_, n) => hook(n)),
      { lean: true, ordered: false },
    );
    for (const query of [
      hookQueries.due(new Date(5), { kinds: ['telegramTrigger'], exceptOwnerIds: ['o1'] }),
      hookQueries.moved('https://weft.example', new Date(5)),
      hookQueries.ofKey('k5'),
      hookQueries.selected({ workflowId: 'w5', exceptIds: ['h5'] }),
      hookQueries.selected({ ownerId: 'o5' }),
      hookQueries.selected({ credentialId: 'c5' }),
    ]) {
      expect(shownPlan(await model.find(query.filter, {}, query.options).explain())).toMatchObject({
        isFullScan: false,
        indexes: [query.index],
      });
    }
  });

  it('a query without an index is detected', async () => {
    expect(await planOf({ filter: { name: 'n5' }, options: {}, index: '' })).toMatchObject({ isFullScan: true });
  });
});
