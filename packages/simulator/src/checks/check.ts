import { ExecutionState } from '@weft/proto/executions';
import { type Document, isDocument, listOf, memberOf } from '../store/values';
import type { Callers } from '../workload/callers';
import { isEnd } from './monitor';
import type { Kind } from '../workload/workflows';
import type { World } from '../world/world';

const REPORTED: Readonly<Partial<Record<ExecutionState, string>>> = {
  [ExecutionState.EXECUTION_STATE_SUCCESS]: 'success',
  [ExecutionState.EXECUTION_STATE_ERROR]: 'error',
  [ExecutionState.EXECUTION_STATE_CRASHED]: 'crashed',
  [ExecutionState.EXECUTION_STATE_CANCELLED]: 'cancelled',
};

const reasonOf = ({ error }: Document): string =>
  isDocument(error) ? `${String(error['reason'])}: ${String(error['message'])}` : '';

/** Fences of ids among the executions. */
const isFence = (record: Document): boolean => record['workflowId'] === '';

const recordsOf = (world: World): Document[] =>
  world.server
    .collection('executions', 'executions')
    .find({ filter: {} })
    .filter((record) => !isFence(record) && !String(record['_id']).startsWith('witness'));

/** True if no run is left to do: every caller knows the outcome, and every run and its hooks have ended. */
export const isAllOver = (world: World, callers: Callers): boolean =>
  callers.all.every(({ isOver }) => isOver) &&
  recordsOf(world).every(
    (record) =>
      isEnd(record['state']) && listOf(record['postRunActions']).every((hook) => memberOf(hook, 'due') === undefined),
  );

const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** The effects of a run: all that are expected, in order, and repeated only as often as a process lost the run. */
const checkEffects = (world: World, record: Document, { name, expected }: Kind): void => {
  const id = String(record['_id']);
  const own = world.target.effects.filter(({ executionId }) => executionId === id).map((one) => one.name);
  const losses = world.monitor.histories.get(id)?.losses ?? 0;
  const counts = countBy(own);
  const tries = name === 'retries' ? 2 : 1;
  for (const effect of expected.effects)
    if ((counts.get(effect) ?? 0) < tries) world.violated(`${id} (${name}) ended without its effect ${effect}`);
  for (const effect of counts.keys())
    if (!expected.effects.includes(effect)) world.violated(`${id} (${name}) had the unexpected effect ${effect}`);
  const repeated = [...counts.values()].reduce((sum, count) => sum + count - tries, 0);
  const allowed = expected.resumes ? losses * tries : losses * expected.effects.length;
  if (repeated > allowed)
    world.violated(
      `${id} (${name}) repeated ${repeated} effects (${own.join(' ')}) though it was lost ${losses} times`,
    );
};

const checkRun = (world: World, record: Document, kind: Kind, isCancelled: boolean): void => {
  const id = String(record['_id']);
  const { expected, name } = kind;
  const state = String(record['state']);
  if (!isEnd(state)) return world.violated(`${id} (${name}) is stuck: ${state}`);
  if (isCancelled && state === 'cancelled') return;
  if (state === 'crashed' && expected.mayCrash === true) return;
  if (!expected.states.includes(state))
    return world.violated(`${id} (${name}) ended as ${state}, not as ${expected.states.join()}: ${reasonOf(record)}`);
  if (state === 'error' && !reasonOf(record).startsWith('NODE_ERROR'))
    world.violated(`${id} (${name}) failed for another reason: ${reasonOf(record)}`);
  checkEffects(world, record, kind);
};

/** The error workflow of a failed run ran once. */
const checkErrorWorkflow = (world: World, record: Document, kind: Kind, records: readonly Document[]): void => {
  if (kind.expected.errorWorkflow !== true || record['state'] !== 'error') return;
  const key = `err:${String(record['_id'])}`;
  const started = records.filter((one) => one['idempotencyKey'] === key).length;
  if (started !== 1) world.violated(`the error workflow of ${String(record['_id'])} ran ${started} times`);
};

/** Checks everything that must hold once nothing fails any more and all runs had the time to end. */
export const checkAll = async (world: World, callers: Callers): Promise<void> => {
  const records = recordsOf(world);
  const byId = new Map(records.map((record) => [String(record['_id']), record]));
  const kinds = new Map(world.kinds.map((kind) => [kind.workflowId, kind]));
  const cancelled = new Set(callers.all.flatMap(({ isCancelled, acceptedAs }) => (isCancelled && acceptedAs) || []));
  for (const call of callers.all) {
    const { acceptedAs, executionId, isFenced, isOver, isRefused, kind, reported } = call;
    if (!isOver) world.violated(`the caller of ${executionId} never learned the outcome`);
    if (acceptedAs !== undefined && !byId.has(acceptedAs)) world.violated(`${acceptedAs} was accepted and is lost`);
    if (isFenced && byId.has(executionId)) world.violated(`${executionId} runs although a read found nothing`);
    if (isRefused && byId.has(executionId)) world.violated(`${executionId} runs although it was refused`);
    const stored = byId.get(acceptedAs ?? '')?.['state'];
    const told = reported === undefined ? undefined : REPORTED[reported];
    if (told !== undefined && told !== stored)
      world.violated(`the caller of ${executionId} (${kind.name}) was told ${told}, but ${String(stored)} is stored`);
  }
  for (const [key, count] of countBy(
    records.flatMap((one) => (typeof one['idempotencyKey'] === 'string' ? [one['idempotencyKey']] : [])),
  ))
    if (count > 1) world.violated(`${count} executions have the key ${key}`);
  for (const record of records) {
    const id = String(record['_id']);
    const kind = kinds.get(String(record['workflowId']));
    if (kind === undefined) continue;
    checkRun(world, record, kind, cancelled.has(id) || isOfCancelled(record, cancelled));
    checkErrorWorkflow(world, record, kind, records);
  }
  for (const { executionId, name } of world.target.effects)
    if (!byId.has(executionId)) world.violated(`${executionId} had the effect ${name} and is not stored`);
  await checkData(world, callers, records, kinds);
};

const isOfCancelled = ({ parent }: Document, cancelled: ReadonlySet<string>): boolean =>
  cancelled.has(String(memberOf(parent, 'rootId')));

/** Attempts to read a record, a second apart: the replicas may just have been started. */
const ATTEMPTS = 20;

const readWithRetries = async (world: World, callers: Callers, id: string): Promise<unknown> => {
  let failure: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await callers.readData(id);
    } catch (error) {
      failure = error;
      await world.scheduler.pause(1_000);
    }
  }
  return String(failure);
};

/** The record of every run can be read, and has a run of each node. */
const checkData = async (
  world: World,
  callers: Callers,
  records: readonly Document[],
  kinds: ReadonlyMap<string, Kind>,
): Promise<void> => {
  for (const record of records) {
    const id = String(record['_id']);
    const kind = kinds.get(String(record['workflowId']));
    if (kind === undefined || !kind.expected.states.includes(String(record['state']))) continue;
    const data = await readWithRetries(world, callers, id);
    const text = JSON.stringify(data);
    for (const node of kind.expected.nodes)
      if (!text.includes(`"${node}"`))
        world.violated(`the record of ${id} (${kind.name}) lacks ${node}: ${text.slice(0, 300)}`);
  }
};
