import { randomBytes } from 'node:crypto';
import { createBatcher } from '@weft/service-kit/batching';
import { inKeyOrder, isRefusalOfContent, withStore } from '@weft/service-kit/mongo';
import { judge, type Snapshot } from '../../domain/state/write-outcome';
import type { ExecutionRecord } from '../../domain/state/execution';
import type { ApplyWrite, Outcome } from '../../domain/state/ports';
import type { TransitionName } from '../../domain/state/execution-state';
import type { Write } from '../../domain/state/write';
import { RowRefused, sendRows } from './bulk';
import { confirmRefusals } from './confirm-refusals';
import type { ExecutionModel } from './execution-schema';
import { readSnapshots } from './read-executions';
import { toArrayFilters, toFilter, toUpdate } from './to-update';

interface Item {
  readonly executionId: string;
  readonly write: Write;
}

const MAX_BATCH = 200;
const MAX_QUEUED = 20_000;

const operationOf = ({ executionId, write }: Item, batchId: string) => {
  const arrayFilters = toArrayFilters(write);
  return {
    updateOne: {
      filter: toFilter(executionId, write),
      update: toUpdate(write, batchId),
      ...(arrayFilters === undefined ? {} : { arrayFilters }),
    },
  };
};

/** An item and its position in the batch. */
interface Placed {
  readonly item: Item;
  readonly index: number;
}

/** Splits a batch so that each execution occurs once in a part: writes of one bulk have no order. */
const inRounds = (items: readonly Item[]): Placed[][] => {
  const rounds: { ids: Set<string>; placed: Placed[] }[] = [];
  items.forEach((item, index) => {
    const { executionId } = item;
    let open = rounds.find(({ ids }) => !ids.has(executionId));
    if (open === undefined) rounds.push((open = { ids: new Set(), placed: [] }));
    open.ids.add(executionId);
    open.placed.push({ item, index });
  });
  return rounds.map(({ placed }) => inKeyOrder(placed, ({ item }) => item.executionId));
};

const outcomeOf = (write: Write, found: Snapshot | undefined, batchId: string): Outcome => {
  const outcome = judge(write, found, batchId);
  return outcome === 'applied' || found === undefined ? { outcome } : { outcome, found };
};

/** Transitions whose repetition is recognised by the state of the document alone. */
const LEAVES_TRACE: ReadonlySet<string> = new Set<TransitionName>(['checkpoint', 'wait', 'release', 'succeed', 'fail']);

/** The second read after a refusal: a write that is in the document after all was applied. */
const outcomeAfterRefusal = (
  refusal: Error,
  write: Write,
  found: Snapshot | undefined,
  batchId: string,
): Outcome | Error => {
  if (!(refusal instanceof RowRefused) || found === undefined) return refusal;
  const read = outcomeOf(write, found, batchId);
  return read.outcome === 'applied' || (read.outcome === 'duplicate' && LEAVES_TRACE.has(write.transition))
    ? read
    : refusal;
};

/** Sends one bulk. If rows did not match, reads the documents back to find which and why. */
const applyRound = async (model: ExecutionModel, items: readonly Item[]): Promise<(Outcome | Error)[]> => {
  const batchId = randomBytes(9).toString('base64url');
  let matched = 0;
  const refused = await sendRows(items, async (rows) => {
    // By the driver: the table has already built the writes, and mongoose would cast them again at a higher cost.
    matched += (
      await model.db.collection<ExecutionRecord>(model.collection.name).bulkWrite(
        rows.map((row) => operationOf(row, batchId)),
        { ordered: false },
      )
    ).matchedCount;
  });
  if (matched === items.length) return items.map(() => ({ outcome: 'applied' }));
  const found = await readSnapshots(
    model,
    items.map(({ executionId }) => executionId),
  );
  return items.map(({ executionId, write }, index) => {
    const refusal = refused.get(index);
    const snapshot = found.get(executionId);
    return refusal === undefined
      ? outcomeOf(write, snapshot, batchId)
      : outcomeAfterRefusal(refusal, write, snapshot, batchId);
  });
};

const flush =
  (model: ExecutionModel) =>
  async (items: readonly Item[]): Promise<(Outcome | Error)[]> => {
    const outcomes = new Map<number, Outcome | Error>();
    for (const round of inRounds(items)) {
      const results = await applyRound(
        model,
        round.map(({ item }) => item),
      );
      results.forEach((result, position) => outcomes.set(round[position]?.index ?? -1, result));
    }
    return items.map((_, index) => outcomes.get(index) ?? new Error('A write has no outcome.'));
  };

/** The witness of a refused write: a small write of the same document. */
const touch =
  (model: ExecutionModel) =>
  ({ executionId }: Item): Promise<unknown> =>
    withStore(() =>
      model.db
        .collection<ExecutionRecord>(model.collection.name)
        .updateOne({ _id: executionId }, { $set: { batchId: randomBytes(9).toString('base64url') } }),
    );

/**
 * Applies writes by group commit: those that arrive while a batch is in flight form the next one. A refused write is
 * sent again until its refusal is confirmed.
 */
export const createApplyWrite = (model: ExecutionModel): ApplyWrite => {
  const batched = createBatcher<Item, Outcome>({
    flush: flush(model),
    maxBatch: MAX_BATCH,
    concurrency: 2,
    maxQueued: MAX_QUEUED,
  });
  const send = confirmRefusals(batched, touch(model), isRefusalOfContent);
  return (executionId, write) => send({ executionId, write });
};
