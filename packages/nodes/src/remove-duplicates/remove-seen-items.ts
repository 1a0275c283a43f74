import { type Item, messageOf, type NodeContext, NodeFailure } from '@weft/engine';
import { readDate } from '../date-time/read-date';
import { nodeKey, nodeRunOperation } from '../shared/persistent-state/node-key';
import { updateState } from '../shared/persistent-state/update-state';
import { choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { rememberLatest } from './latest-history';
import { rememberSeen } from './seen-history';

const LOGICS = [
  'removeItemsWithAlreadySeenKeyValues',
  'removeItemsUpToStoredIncrementalKey',
  'removeItemsUpToStoredDate',
] as const;
/** Maximum that fits into one entry of a workflow's storage. */
const MAX_HISTORY_SIZE = 40_000;

/** Kept and discarded items. */
export type Sorted = readonly [kept: readonly Item[], discarded: readonly Item[]];

/**
 * Separates items that no earlier run had from the others, and records them. Items of one run are not compared with
 * each other.
 * @throws NodeFailure if a value cannot be compared, unless the node continues on failure: then the item is an error on
 * the first output
 */
export async function removeSeenItems(context: NodeContext): Promise<Sorted> {
  const logic = choiceParameter(context, 'logic', 0, LOGICS);
  switch (logic) {
    case 'removeItemsWithAlreadySeenKeyValues':
      return sortBy(
        context,
        (index) => textParameter(context, 'dedupeValue', index),
        (values) => bySeen(context, values),
      );
    case 'removeItemsUpToStoredIncrementalKey':
      return sortBy(
        context,
        (index) => incrementalKey(context, index),
        (values) => byLatest(context, values),
      );
    case 'removeItemsUpToStoredDate':
      return sortBy(
        context,
        (index) => dateKey(context, index),
        (values) => byLatest(context, values),
      );
  }
}

/** Clears the history of earlier runs in the node's scope. */
export async function clearHistory(context: NodeContext): Promise<void> {
  const operation = `${nodeRunOperation(context)}:clear`;
  await updateState(context, historyName(context), (value) =>
    value === undefined || value === null
      ? { result: undefined }
      : { result: undefined, write: { value: null, operation } },
  );
}

async function sortBy<Value>(
  context: NodeContext,
  valueOf: (index: number) => Value,
  remember: (values: readonly Value[]) => Promise<readonly boolean[]>,
): Promise<Sorted> {
  const failed: Item[] = [];
  const read: { readonly index: number; readonly value: Value }[] = [];
  for (const index of context.items.keys()) {
    await context.pause();
    try {
      read.push({ index, value: valueOf(index) });
    } catch (thrown) {
      if (!context.continueOnFail) throw thrown;
      failed.push({ json: { error: messageOf(thrown) }, pairedItem: { item: index } });
    }
  }
  const isNew = await remember(read.map(({ value }) => value));
  const pick = (wanted: boolean): Item[] =>
    read.flatMap(({ index }, at) => {
      const item = context.items[index];
      return item === undefined || isNew[at] !== wanted ? [] : [{ ...item, pairedItem: { item: index } }];
    });
  return [[...pick(true), ...failed], pick(false)];
}

async function bySeen(context: NodeContext, values: readonly string[]): Promise<readonly boolean[]> {
  const historySize = Math.min(MAX_HISTORY_SIZE, Math.trunc(numberParameter(context, 'options.historySize', 0)));
  if (historySize < 1) throw new NodeFailure('The history size must be at least 1');
  const { isNew, kept } = await updateState(context, historyName(context), (value) =>
    rememberSeen(value, values, nodeRunOperation(context), historySize),
  );
  if (kept > historySize / 2) {
    context.log([
      `The history has ${kept} of at most ${historySize} values. When it is full, the oldest values are removed and ` +
        'count as new again. The option "History Size" raises the limit, up to ' +
        `${MAX_HISTORY_SIZE}.`,
    ]);
  }
  return isNew;
}

function byLatest(context: NodeContext, values: readonly number[]): Promise<readonly boolean[]> {
  return updateState(context, historyName(context), (value) =>
    rememberLatest(value, values, nodeRunOperation(context)),
  );
}

function incrementalKey(context: NodeContext, index: number): number {
  const value = context.parameter('incrementalDedupeValue', index);
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
  if (Number.isFinite(number)) return number;
  throw new NodeFailure('The value to deduplicate on is not a number', {
    itemIndex: index,
    description:
      'With this logic every item needs a number that grows, for example an id. Make sure that the parameter ' +
      'yields one.',
  });
}

function dateKey(context: NodeContext, index: number): number {
  const date = readDate(context.parameter('dateDedupeValue', index), context.timezone);
  if (date !== undefined) return date.toMillis();
  throw new NodeFailure('The value to deduplicate on is not a date', {
    itemIndex: index,
    description:
      'With this logic every item needs a date, for example `2024-09-20T10:12:43.000Z`. Make sure that the ' +
      'parameter yields one.',
  });
}

/** The history of the workflow, shared by all its nodes with that scope, or of this node. */
function historyName(context: NodeContext): string {
  const scope = choiceParameter(context, 'options.scope', 0, ['node', 'workflow']);
  return scope === 'workflow' ? 'seen:workflow' : `seen:${nodeKey(context.node.name)}`;
}
