import type { ReadyEntry } from '../records/engine-state';
import { splitErrors, withErrorJson } from './error-output';
import type { Item, Outputs } from '../items/items';
import { NodeRunContext } from '../node/node-context';
import type { NodeInputs } from '../node/node-context';
import type { WaitRequest, NodeExecutor, NodeResult } from '../node/node';
import { errorRecordOf, NodeFailure } from '../node/node-failure';
import { fillItemLinks, pairedWithAll } from '../items/item-linking';
import { storePinnedFiles } from '../items/pinned-files';
import { executorFor, type PreparedNode } from '../prepare/prepare-workflow';
import { abortable } from './run-aborted';
import type { RunFrame } from './run-frame';
import { boundedError, writeRecord } from '../records/record-json';
import { knownTokenHash, RUN_MEMORY } from './run-memory';
import type { ExecutionError, NodeRunRecord } from '../records/run-record';

/** Outcome of one node run. `failed` ends the execution. */
export type NodeRun =
  | {
      readonly kind: 'done';
      readonly record: NodeRunRecord;
      /** The record as JSON. */ readonly json: Uint8Array;
      readonly outputs: Outputs;
    }
  | {
      readonly kind: 'failed';
      readonly record: NodeRunRecord;
      readonly json: Uint8Array;
      readonly error: ExecutionError;
    }
  /** There is no record: the branch ends here. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'wait';
      readonly wait: WaitRequest;
      /** When the node was first run. */ readonly startTime: number;
    };

/** A result whose answer, if it had one, is given. */
type AnsweredResult = Exclude<NodeResult, { kind: 'respond' }>;

/** Items of a run before it is recorded. */
interface Produced {
  readonly outputs: Outputs;
  readonly error?: ExecutionError;
  readonly pinned?: true;
}

/**
 * Runs one node: with its pins or its executor, as often as its options allow, and with what they say about failures.
 * @throws RunAborted if the signal of the run fires.
 */
export async function runNode(
  frame: RunFrame,
  node: PreparedNode,
  entry: ReadyEntry,
  executionIndex: number,
): Promise<NodeRun> {
  frame.thread.node(node.name);
  frame.thread.mark();
  const { clock } = frame.deps.ports;
  const startTime = entry.since ?? clock.now();
  const inputs = inputsOf(frame, entry);
  frame.console.length = 0;
  frame.metadata = undefined;
  frame.secrets.clear();
  const record = (rest: Pick<NodeRunRecord, 'executionStatus' | 'data' | 'error' | 'pinned'>): NodeRunRecord => ({
    startTime,
    executionTime: clock.now() - startTime,
    executionIndex,
    source: entry.sources,
    hints: [],
    ...(frame.console.length === 0 ? {} : { console: frame.console.map((line) => frame.secrets.text(line)) }),
    ...(frame.metadata === undefined ? {} : { metadata: frame.metadata }),
    ...rest,
  });
  try {
    const produced = await produce(frame, node, entry, inputs);
    if (produced === undefined) return { kind: 'nothing' };
    if ('wait' in produced) return { kind: 'wait', wait: produced.wait, startTime };
    return await withinLimits(frame, node, inputs, produced, async ({ outputs, error, pinned }) => {
      const made = record({
        executionStatus: error === undefined ? 'success' : 'error',
        data: { main: outputs },
        ...(error === undefined ? {} : { error }),
        ...(pinned === undefined ? {} : { pinned }),
      });
      return {
        kind: 'done',
        outputs,
        record: made,
        json: await writeRecord(made, frame.store.bytes, () => frame.pause()),
      };
    });
  } catch (thrown) {
    if (!(thrown instanceof FinalFailure)) throw thrown;
    return failedRun(thrown.error, record({ executionStatus: 'error', error: thrown.error }));
  }
}

/**
 * The items a node returned are its output only if they can be stored; else the node has failed, with what its options
 * say about that.
 */
async function withinLimits(
  frame: RunFrame,
  node: PreparedNode,
  inputs: NodeInputs,
  produced: Produced,
  record: (produced: Produced) => Promise<NodeRun>,
): Promise<NodeRun> {
  try {
    return await record(produced);
  } catch (thrown) {
    if (!(thrown instanceof NodeFailure)) throw thrown;
    const passedOn = afterFailure(frame, node, inputs, thrown);
    try {
      return await record(passedOn);
    } catch (again) {
      throw again instanceof NodeFailure ? new FinalFailure(errorRecordOf(again, node.definition)) : again;
    }
  }
}

/** A failure is always stored; the node's console output is dropped if it is too large. */
async function failedRun(error: ExecutionError, record: NodeRunRecord): Promise<NodeRun> {
  // A pause could end the run, and then nothing would be stored.
  const goOn = (): undefined => undefined;
  try {
    return { kind: 'failed', error, record, json: await writeRecord(record, 0, goOn) };
  } catch {
    const { console: _console, metadata: _metadata, ...bare } = record;
    return { kind: 'failed', error, record: bare, json: await writeRecord(bare, 0, goOn) };
  }
}

/** Thrown within this file only: the node failed and the run must not continue. */
class FinalFailure extends Error {
  readonly error: ExecutionError;

  constructor(error: ExecutionError) {
    super(error.message);
    this.error = error;
  }
}

function inputsOf(frame: RunFrame, entry: ReadyEntry): NodeInputs {
  if (entry.start === true) return { sources: [], items: [frame.request.input] };
  return {
    sources: entry.sources,
    items: entry.sources.map((source) => (source === null ? [] : frame.store.itemsOf(source))),
  };
}

/** Undefined if the node returned nothing, not even an empty list. */
async function produce(
  frame: RunFrame,
  node: PreparedNode,
  entry: ReadyEntry,
  inputs: NodeInputs,
): Promise<Produced | { wait: WaitRequest } | undefined> {
  if (node.options.disabled) {
    const passed = fillItemLinks([paired(inputs.items[0] ?? [])], inputs.items);
    return { outputs: withGuaranteedOutput(node, passed, inputs) };
  }
  const pins = frame.pins.get(node.name);
  if (pins !== undefined) {
    const items = await storePinnedFiles(
      pins,
      frame.request.workflow.definition.pinData[node.name] ?? [],
      frame.deps.ports.files,
    );
    return { outputs: withGuaranteedOutput(node, fillItemLinks([items], inputs.items), inputs), pinned: true };
  }
  const executor = executorFor(node, frame.deps.registry);
  if (executor === undefined)
    throw new FinalFailure(
      errorRecordOf(new NodeFailure(`The node type "${node.definition.type}" is not known`), node.definition),
    );
  try {
    const result = await runTries(frame, node, executor, entry, inputs);
    frame.thread.mark();
    if (result.kind === 'wait') return { wait: result.wait };
    if (result.kind === 'nothing' && !node.options.alwaysOutputData) return undefined;
    const given = result.kind === 'nothing' ? [] : result.outputs;
    const finished = frame.secrets.outputs(finish(node, executor, given, inputs));
    return { outputs: withGuaranteedOutput(node, finished, inputs) };
  } catch (thrown) {
    if (frame.request.signal.aborted) throw thrown;
    return afterFailure(frame, node, inputs, thrown);
  }
}

/**
 * The items passed on after a node that failed: its input, if its options allow it. An empty input stays empty, also
 * with `alwaysOutputData`. @throws FinalFailure if they do not
 */
function afterFailure(frame: RunFrame, node: PreparedNode, inputs: NodeInputs, thrown: unknown): Produced {
  const error = boundedError(frame.secrets.error(errorRecordOf(thrown, node.definition)));
  if (node.options.onError === 'stopWorkflow') throw new FinalFailure(error);
  return { outputs: [paired(inputs.items[0] ?? [])], error };
}

async function runTries(
  frame: RunFrame,
  node: PreparedNode,
  executor: NodeExecutor,
  entry: ReadyEntry,
  inputs: NodeInputs,
): Promise<AnsweredResult> {
  const { tries, waitBetweenTriesMs } = node.options;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= tries;
    try {
      const { result, context } = await tryOnce(frame, node, executor, entry, inputs, attempt - 1);
      if (isLast || result.kind !== 'items' || !holdsFailure(result.outputs)) {
        context.keepMemory();
        return result;
      }
    } catch (thrown) {
      if (isLast || frame.request.signal.aborted) throw thrown;
    }
    await abortable(frame.deps.ports.clock.sleep(waitBetweenTriesMs, frame.request.signal), frame.request.signal);
  }
}

async function tryOnce(
  frame: RunFrame,
  node: PreparedNode,
  executor: NodeExecutor,
  entry: ReadyEntry,
  inputs: NodeInputs,
  triesBefore: number,
): Promise<{ result: AnsweredResult; context: NodeRunContext }> {
  const { signal } = frame.request;
  const context = new NodeRunContext(
    frame,
    node,
    inputs,
    entry.waited === true ? frame.request.resume : undefined,
    triesBefore,
  );
  const running = frame.thread.within(() => executor.run(context));
  const result = running instanceof Promise ? await abortable(running, signal) : running;
  frame.thread.mark();
  if (result.kind === 'respond')
    await abortable(frame.deps.ports.respond(result.response, knownTokenHash(frame.memories.get(RUN_MEMORY))), signal);
  return { result: result.kind === 'respond' ? { kind: 'items', outputs: result.outputs } : result, context };
}

/**
 * True if the first item has an error among its fields, whichever node put it there: a service that reports errors with
 * status 200 is asked again too.
 */
function holdsFailure(outputs: Outputs): boolean {
  const error = outputs[0]?.[0]?.json['error'];
  return error !== undefined && error !== null && error !== false;
}

function finish(node: PreparedNode, executor: NodeExecutor, outputs: Outputs, inputs: NodeInputs): Outputs {
  if (node.options.onError !== 'continueErrorOutput') return fillItemLinks(withErrorJson(outputs), inputs.items);
  const shape = { version: node.version, rawParameter: (path: string) => node.parameters.raw(path) };
  const split = splitErrors(outputs, executor.outputCount?.(shape) ?? node.outputCount, inputs.items);
  return fillItemLinks(split, inputs.items);
}

function withGuaranteedOutput(node: PreparedNode, outputs: Outputs, inputs: NodeInputs): Outputs {
  const [first, ...others] = outputs;
  if (!node.options.alwaysOutputData || (first?.length ?? 0) > 0) return outputs;
  return [[{ json: {}, pairedItem: pairedWithAll(inputs.items) }], ...others];
}

/** Input items on their way through, each paired with itself. */
function paired(items: readonly Item[]): Item[] {
  return items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
}
