import { migrate } from '@weft/service-kit/mongo';
import { isJsonObject } from '@weft/service-kit/json';
import mongoose, { type Connection } from 'mongoose';
import { uuidv7 } from '@weft/service-kit/ids';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import { STATUS_OF, type ExecutionState } from '../../src/domain/state/execution-state';
import { newExecution } from '../../src/domain/start/new-execution';
import { executionModel, type ExecutionModel } from '../../src/store/executions/execution-schema';
import { SCHEMA } from '../../src/store/indexes';
import { QUERIES, type Query } from '../../src/store/queries';
import { PLAIN_RUN } from '../../src/domain/testing/plain-run';

const COUNT = 6_000;
const STATES: readonly ExecutionState[] = ['queued', 'running', 'waiting', 'success', 'error', 'crashed', 'cancelled'];

const workflows = Array.from({ length: 20 }, () => uuidv7());

/** Documents like those of a busy instance: most have ended. */
const documentOf = (n: number): ExecutionRecord => {
  const state = n % 10 < 7 ? 'success' : (STATES[n % STATES.length] ?? 'success');
  const options = { ...PLAIN_RUN, workflowId: workflows[n % 2 === 0 ? 0 : n % 20] ?? '', ownerId: `o${n % 40}` };
  const { publishAt, ...record } = newExecution(
    n % 3 === 0 ? { ...options, idempotencyKey: `k${n}`, requestHash: 'h', mutexKey: `e${n}` } : options,
    Date.now(),
  );
  const time = new Date(Date.now() + n * 1_000);
  return {
    ...record,
    state,
    status: STATUS_OF[state],
    ...(state === 'queued' && publishAt !== undefined ? { publishAt: time } : {}),
    ...(state === 'running'
      ? { claimId: `c${n}`, lease: { runnerId: 'r', until: time, attempt: 0, alone: false }, deadlineAt: time }
      : {}),
    ...(state === 'waiting' ? { wait: { checkAt: time, tokenHash: `t${n}` }, tokenHash: `t${n}` } : {}),
    ...(n % 50 === 3 ? { waitsForSlotId: 'slot' } : {}),
    ...(n % 5 === 0 ? { parent: { executionId: `parent-${n % 50}`, depth: 1, rootId: `r-${n}` } } : {}),
    ...(n % 10 === 3 ? { retry: { of: `failed-${n}`, mode: 'webhook' as const } } : {}),
    ...(n % 10 < 7 ? { expireAt: time } : {}),
    ...(n % 20 === 0 ? { customData: `{"order":"${n % 100}"}`, customDataPairs: [`order:${n % 100}`] } : {}),
    ...(n % 100 === 99
      ? { postRunActions: [{ kind: 'expire-record' as const, when: 'end' as const, target: '', due: time }] }
      : {}),
  };
};

/**
 * Every stage of a plan, of a MongoDB server (`stage`, `indexName`) or of one on PostgreSQL (`Node Type`, `Index
 * Name`).
 */
const stagesOf = (plan: unknown): Readonly<Record<string, unknown>>[] => {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf);
  if (!isJsonObject(plan)) return [];
  const own = 'Node Type' in plan || 'stage' in plan ? [plan] : [];
  return [...own, ...Object.values(plan).flatMap(stagesOf)];
};

const isFullScan = (stage: Readonly<Record<string, unknown>>): boolean =>
  stage['stage'] === 'COLLSCAN' || stage['Node Type'] === 'Seq Scan';
const isSort = (stage: Readonly<Record<string, unknown>>): boolean =>
  stage['stage'] === 'SORT' || stage['Node Type'] === 'Sort';
const indexesOf = (stages: readonly Readonly<Record<string, unknown>>[]): string[] =>
  stages.flatMap((stage) => [stage['indexName'], stage['Index Name']]).filter((name) => typeof name === 'string');

describe('every query on executions', () => {
  const name = uniqueName('queries');
  let connection: Connection;
  let model: ExecutionModel;
  beforeAll(async () => {
    connection = await mongoose.createConnection(testMongodbUri(), { dbName: name }).asPromise();
    await migrate(connection, SCHEMA);
    model = executionModel(connection);
    for (let from = 0; from < COUNT; from += 500)
      await model.insertMany(
        Array.from({ length: 500 }, (_, n) => documentOf(from + n)),
        { lean: true },
      );
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(name);
  });

  const soon = new Date(Date.now() + 100_000);
  const workflowId = workflows[0] ?? '';
  const ownerId = 'o1';
  const some = async (): Promise<string[]> =>
    (await model.find({}, { _id: 1 }).sort({ _id: -1 }).limit(20).lean().exec()).map(({ _id }) => _id);
  /** As the store sends it: a page with its hint, whichever it is. */
  const explain = ({ filter, sort, index }: Query, isPage: boolean): Promise<unknown> => {
    const query = model.find(filter).sort(sort).limit(21);
    return (index === '_id_' && !isPage ? query : query.hint(index)).explain().exec();
  };
  const isPage = (what: string): boolean => what.includes('page');
  const cases: readonly (readonly [string, (ids: readonly string[]) => Query])[] = [
    ['byIds', (ids) => QUERIES.byIds(ids)],
    ['claimed', (ids) => QUERIES.claimed(ids, 'c1', 0)],
    ['heldBack', (ids) => QUERIES.heldBack(ids, [1])],
    ['byKeys', () => QUERIES.byKeys(['k3', 'k6'])],
    ['byMutexKeys', () => QUERIES.byMutexKeys(['e3', 'e6'])],
    ['byToken', () => QUERIES.byToken('t9')],
    ['page', ([id = '']) => QUERIES.page({ before: id })],
    ['page of a status', ([id = '']) => QUERIES.page({ status: 'success', before: id })],
    ['page of a workflow', ([id = '']) => QUERIES.page({ workflowId, before: id })],
    ['page of a workflow and a status', ([id = '']) => QUERIES.page({ workflowId, status: 'success', before: id })],
    ['page of an owner', ([id = '']) => QUERIES.page({ ownerId, before: id })],
    ['page of an owner and a status', ([id = '']) => QUERIES.page({ ownerId, status: 'success', before: id })],
    ['page of an owner and a workflow', ([id = '']) => QUERIES.page({ ownerId, workflowId, before: id })],
    ['first page of an owner', () => QUERIES.page({ ownerId })],
    ['first page of a status', () => QUERIES.page({ status: 'success' })],
    ['first page of a workflow', () => QUERIES.page({ workflowId })],
    [
      'page without hidden owners',
      ([id = '']) => QUERIES.page({ hiddenOwnerIds: ['o1', 'o2'], before: id, from: '0' }),
    ],
    [
      'page of a status without hidden owners',
      () => QUERIES.page({ status: 'success', hiddenOwnerIds: ['o1', 'o2'], from: '0' }),
    ],
    ['page of custom data', ([id = '']) => QUERIES.page({ customData: 'order:1', before: id })],
    ['page of custom data and a status', () => QUERIES.page({ customData: 'order:1', status: 'success', from: '0' })],
    ['page of children', ([id = '']) => QUERIES.page({ parentId: 'parent-5', before: id })],
    ['page of children with a status', () => QUERIES.page({ parentId: 'parent-5', status: 'success', from: '0' })],
    ['stretch of a page of children', () => QUERIES.stretch({ parentId: 'parent-5', status: 'success' })],
    ['page of reasons', () => QUERIES.page({ reasons: ['NODE_ERROR'], status: 'error', from: '0' })],
    ['page of modes of a workflow', () => QUERIES.page({ workflowId, modes: ['webhook'], from: '0' })],
    ['page of a request of an owner', () => QUERIES.page({ ownerId, requestId: 'r1', from: '0' })],
    ['page between two times', ([id = '']) => QUERIES.page({ from: '0', before: id })],
    ['stretch of a page of custom data', () => QUERIES.stretch({ customData: 'order:1', from: '0' })],
    ['stretch of a page of an owner and a status', () => QUERIES.stretch({ ownerId, status: 'success' })],
    ['stretch of a page', () => QUERIES.stretch({})],
    ['stretch of a page of a status', ([id = '']) => QUERIES.stretch({ status: 'success', before: id })],
    ['stretch of a page of a workflow', () => QUERIES.stretch({ workflowId })],
    ['retryable', ([id = '']) => QUERIES.retryable({ status: 'error', to: soon }, id)],
    [
      'retryable of a workflow',
      ([id = '']) => QUERIES.retryable({ workflowId, status: 'success', from: new Date(0), to: soon }, id),
    ],
    ['retriesOf', (ids) => QUERIES.retriesOf(ids)],
    ['liveChildren', () => QUERIES.liveChildren('parent-5')],
    ['liveOfFamilies', () => QUERIES.liveOfFamilies(['r-5', 'r-6'])],
    ['liveRoots', (ids) => QUERIES.liveRoots(ids)],
    ['needingVersions', () => QUERIES.needingVersions(workflowId)],
    ['expiredRecords', () => QUERIES.expiredRecords(soon)],
    ['queued', () => QUERIES.queued()],
    ['neverClaimed', () => QUERIES.neverClaimed()],
    ['waiting', () => QUERIES.waiting()],
    ['queuedAfter', ([id = '']) => QUERIES.queuedAfter(id)],
    ['waitingForSlots', () => QUERIES.waitingForSlots('')],
    ['waitingForSlot', () => QUERIES.waitingForSlot('slot')],
    ['unclaimed', () => QUERIES.unclaimed(soon)],
    ['running', () => QUERIES.running()],
    ['withStatus', ([id = '']) => QUERIES.withStatus('error', id)],
    ['pastDeadline', () => QUERIES.pastDeadline(soon)],
    ['dueWaits', () => QUERIES.dueWaits(soon)],
    ['dueCompletionHooks', () => QUERIES.dueCompletionHooks(soon)],
  ];

  it.each(cases)('%s is served by its index, without a full scan', async (what, queryOf) => {
    const { filter, sort, index } = queryOf(await some());
    const plan = await explain({ filter, sort, index }, isPage(what));
    const stages = stagesOf(plan);
    expect(stages.length).toBeGreaterThan(0);
    expect(stages.filter(isFullScan)).toEqual([]);
    expect(indexesOf(stages).some((used) => used === index || used.includes(index))).toBe(true);
  });

  /** Servers on PostgreSQL sort the executions with a pair: an index on an array has no order there. */
  const isSorted = (what: string): boolean => isPage(what) && !what.includes('custom data');
  it.each(cases.filter(([what]) => isSorted(what)))('%s comes sorted from its index', async (_, queryOf) => {
    expect(stagesOf(await explain(queryOf(await some()), true)).filter(isSort)).toEqual([]);
  });

  it('is in the list above', () => {
    const named = new Set(cases.map(([what]) => what.replace(/^first /, '').split(' ')[0]));
    expect([...named].sort()).toEqual(Object.keys(QUERIES).sort());
  });
});
