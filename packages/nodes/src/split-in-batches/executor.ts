import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject, listField, numberField, objectField, textField } from '@weft/node-catalogue';
import {
  type Item,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
  outputs,
  type RunSource,
  sourceOf,
} from '@weft/engine';
import { booleanParameter, numberParameter } from '../shared/read-parameter';

/**
 * Outputs its items in batches, and all returned items when none are left; in version 1 the branch ends then. Its
 * state between runs refers to items by the node runs that output them, so it stays small whatever their number.
 */
export const splitInBatches: NodeExecutor = {
  kind: 'splitInBatches',
  actsOutside: false,
  run: (context) => {
    const size = numberParameter(context, 'batchSize', 0, context.version < 3 ? 10 : 1);
    if (!Number.isInteger(size) || size < 1)
      throw new NodeFailure(`The batch size must be an integer of at least 1; it is ${size}`);
    const loop = beginsAnew(context) ? begin(context, size) : goOn(context);
    const from = loop.taken;
    const items = context.itemsOf(loop.source);
    const batch = (context.node.executeOnce === true ? items.slice(0, 1) : items)
      .slice(from, from + size)
      .map((item, index): Item => ({ ...item, pairedItem: originOf(loop, from + index) }));
    loop.taken += batch.length;
    const isDone = batch.length === 0;
    remember(context, loop, isDone);
    if (isDone && context.version < 2) return { kind: 'nothing' };
    return inOrder(context.version, isDone ? cameBack(context, loop) : [], batch);
  },
};

/** Consecutive runs of one node and output. */
interface RunRange {
  readonly node: string;
  readonly output: number;
  readonly first: number;
  readonly last: number;
}

interface Loop {
  readonly source: RunSource;
  /** Number of items output so far. */
  taken: number;
  readonly run: number;
  readonly maxRun: number;
  readonly returned: readonly RunRange[];
}

function beginsAnew(context: NodeContext): boolean {
  return objectField(context.memory, 'source') === undefined || booleanParameter(context, 'options.reset', 0);
}

function begin(context: NodeContext, size: number): Loop {
  return {
    source: currentSource(context),
    taken: 0,
    run: 0,
    maxRun: Math.ceil(context.items.length / size),
    returned: [],
  };
}

function goOn(context: NodeContext): Loop {
  const { memory } = context;
  const returned = listField(memory, 'returned').flatMap(readRange);
  return {
    source: readSource(objectField(memory, 'source')),
    taken: numberField(memory, 'taken') ?? 0,
    run: (numberField(memory, 'currentRunIndex') ?? 0) + 1,
    maxRun: numberField(memory, 'maxRunIndex') ?? 0,
    returned: withRun(returned, currentSource(context)),
  };
}

function currentSource(context: NodeContext): RunSource {
  const source = context.source(context.itemsInput);
  if (source === null) throw new NodeFailure('A loop cannot be the node that a run starts at');
  return source;
}

/** The fields that workflows read by `$node["…"].context`, and those that the node itself needs. */
function remember({ memory, items }: NodeContext, loop: Loop, isDone: boolean): void {
  const total = loop.run === 0 ? items.length : (numberField(memory, 'total') ?? 0);
  const kept: JsonObject = {
    currentRunIndex: loop.run,
    maxRunIndex: loop.maxRun,
    noItemsLeft: loop.taken >= total,
    done: isDone,
    total,
    taken: loop.taken,
    source: { ...loop.source },
    returned: loop.returned.map((range): Json => ({ ...range })),
  };
  Object.assign(memory, kept);
}

/** Items of the first run are linked to its own input; later runs output items of that same input. */
function originOf(loop: Loop, item: number): NonNullable<Item['pairedItem']> {
  return loop.run === 0 ? { item } : { item, sourceOverwrite: { ...loop.source } };
}

function cameBack(context: NodeContext, { returned }: Loop): Item[] {
  return returned
    .flatMap(({ node, output, first, last }) =>
      Array.from({ length: last - first + 1 }, (_, offset) => sourceOf(node, output, first + offset)),
    )
    .flatMap((source) =>
      context
        .itemsOf(source)
        .map((item, index): Item => ({ ...item, pairedItem: { item: index, sourceOverwrite: { ...source } } })),
    );
}

/** Version 1 has no output for the end, version 2 has it second, version 3 first. */
function inOrder(version: number, done: readonly Item[], batch: readonly Item[]): NodeResult {
  if (version >= 3) return outputs(done, batch);
  return version < 2 ? output(batch) : outputs(batch, done);
}

function withRun(
  ranges: readonly RunRange[],
  { previousNode: node, previousNodeOutput: output = 0, previousNodeRun: run = 0 }: RunSource,
): RunRange[] {
  const last = ranges.at(-1);
  if (last?.node === node && last.output === output && last.last === run - 1)
    return [...ranges.slice(0, -1), { ...last, last: run }];
  return [...ranges, { node, output, first: run, last: run }];
}

function readRange(value: Json): RunRange[] {
  const node = textField(value, 'node');
  if (!isJsonObject(value) || node === undefined) return [];
  return [
    {
      node,
      output: numberField(value, 'output') ?? 0,
      first: numberField(value, 'first') ?? 0,
      last: numberField(value, 'last') ?? 0,
    },
  ];
}

function readSource(value: JsonObject | undefined): RunSource {
  return sourceOf(
    textField(value, 'previousNode') ?? '',
    numberField(value, 'previousNodeOutput') ?? 0,
    numberField(value, 'previousNodeRun') ?? 0,
  );
}
