import { compileParameter, evaluate, type ExpressionScope, type RegexFallback } from '@weft/expressions';
import {
  timezoneOf,
  type Json,
  type JsonObject,
  type KindTable,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';
import { DateTime } from 'luxon';
import type { InputSources } from '../records/engine-state';
import { connectingOutput } from '../prepare/graph';
import { NodeScope, type ScopeFrame } from '../node/node-scope';
import { readPins } from '../items/pins';
import { prepareWorkflow, type PreparedWorkflow } from '../prepare/prepare-workflow';
import type { Item } from '../items/items';
import type { RunData, RunSource } from '../records/run-record';
import { RunStore } from '../records/run-store';
import { withoutMarks } from './partial-items';

/** The execution whose data a preview shows. */
export interface PreviewData {
  /** The draft on the screen, whose expressions are evaluated. */
  readonly definition: WorkflowDefinition;
  readonly kinds: KindTable;
  /** Node runs of the execution, as `GET /executions/:id` returns them. */
  readonly runs: RunData;
  readonly workflowId: string;
  readonly executionId: string;
  /** How the execution was started: `manual`, `webhook`, `trigger` and so on. */
  readonly mode: string;
  readonly workflowActive: boolean;
  /** True to take the pins of the definition for the output of nodes that have not run. */
  readonly usePinData: boolean;
  /** IANA zone for workflows that set none. */
  readonly defaultTimezone: string;
  /** Unix milliseconds of `$now`. */
  readonly now: number;
  readonly vars?: Readonly<Record<string, Json>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly customData?: Readonly<Record<string, string>>;
  readonly regexFallback?: RegexFallback;
}

/** Where an expression is evaluated. */
export interface PreviewPlace {
  /** The node whose parameter it is. */
  readonly node: string;
  /** The node run that filled each input; null for an input that got nothing. */
  readonly sources: InputSources;
  /** Number of the run of the node, from 0. */
  readonly run: number;
  /** Number of the input item. */
  readonly item: number;
}

/** Creates the frame that scopes of previews share. Costs in proportion to the definition. */
export function previewFrame(data: PreviewData): ScopeFrame {
  const workflow: PreparedWorkflow = prepareWorkflow(data.definition, data.kinds);
  const timezone = timezoneOf(data.definition) ?? data.defaultTimezone;
  const { workflowId, executionId, mode, workflowActive, vars = {}, env = {}, customData, regexFallback } = data;
  return {
    request: { workflow, workflowId, executionId, mode, workflowActive },
    deps: { vars, env, ...(regexFallback === undefined ? {} : { regexFallback }) },
    store: new PreviewStore(data.runs),
    timezone,
    memories: NO_MEMORIES,
    pins: data.usePinData ? readPins(data.definition.pinData) : NO_PINS,
    now: () => DateTime.fromMillis(data.now, { zone: timezone }),
    connectingOutput: (source, target) => connectingOutput(workflow, source, target),
    customData: () => customData,
    resumeUrls: () => undefined,
  };
}

/** Node runs whose items may be loaded in part. */
class PreviewStore extends RunStore {
  override itemsOf(source: RunSource): readonly Item[] {
    const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source;
    const items = this.run(previousNode, previousNodeRun)?.data?.main?.[previousNodeOutput] ?? [];
    return withoutMarks(items) ?? super.itemsOf(source);
  }
}

const NO_MEMORIES: ReadonlyMap<string, JsonObject> = new Map();
const NO_PINS: ScopeFrame['pins'] = new Map();

/**
 * The scope of an expression of a node for one of its input items. A node whose input has not run sees no item.
 * @throws RangeError if the definition has no such node
 */
export function previewScope(frame: ScopeFrame, place: PreviewPlace): ExpressionScope {
  const node = frame.request.workflow.nodes.get(place.node);
  if (node === undefined) throw new RangeError(`The workflow has no node called ${JSON.stringify(place.node)}.`);
  const { sources, run, item } = place;
  const itemsInput = Math.max(
    sources.findIndex((source) => source !== null && itemsOf(frame, source).length > 0),
    0,
  );
  const source = sources[itemsInput] ?? null;
  const items = source === null ? [] : itemsOf(frame, source);
  return new NodeScope({ frame, node, runIndex: run, sources, items, itemsInput, leadingRuns: new Map() }, item);
}

function itemsOf(frame: ScopeFrame, source: NonNullable<InputSources[number]>): ReturnType<RunStore['itemsOf']> {
  if (frame.store.runsOf(source.previousNode) > 0) return frame.store.itemsOf(source);
  return (source.previousNodeOutput ?? 0) === 0 ? (frame.pins.get(source.previousNode) ?? []) : [];
}

/** Compiles and evaluates the text of a parameter. @throws ExpressionError */
export function previewText(text: string, scope: ExpressionScope): unknown {
  return evaluate(compileParameter(text), scope);
}
