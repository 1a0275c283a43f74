import { memoryDataTables } from './memory-data-tables';
import { memoryFileArea } from './memory-file-area';
import type { Json, JsonObject, KindTable } from '@weft/node-catalogue';
import { readDefinition } from '@weft/node-catalogue';
import type { EngineState } from '../records/engine-state';
import { decodeState, encodeState, initialState } from '../records/engine-state';
import type { Item } from '../items/items';
import type { ModelPorts } from '../node/model-calls';
import type { NodeContext, NodeExecutor, NodeRegistry, Resume, RunNode } from '../node/node';
import type { NodePorts } from '../ports';
import { prepareWorkflow } from '../prepare/prepare-workflow';
import type { NodeRunRecord, RunData } from '../records/run-record';
import type { NodeRunEvent, RunDeps, RunOutcome, StopReason } from '../run/run-request';
import { runWorkflow } from '../run/run-workflow';
import type { MailSender, OutboundStreams } from '@weft/outbound';

/**
 * A node of a test: its name, its kind, and what else it has. Nodes stand from top to bottom as listed, unless they
 * say where.
 */
export type TestNode = readonly [name: string, kind: string, over?: JsonObject];
/** `A>B`, or with the numbers of output and input: `A:1>B:2`. With the type of a sub-node: `M>A@ai_languageModel`. */
export type TestLink = string;

/** Parts of a test run. */
export interface TestRun {
  readonly nodes: readonly TestNode[];
  readonly links: readonly TestLink[];
  readonly executors: Readonly<Record<string, RunNode | Omit<NodeExecutor, 'kind'>>>;
  /** Executors of the kinds that `executors` does not have; none if absent. */
  readonly registry?: NodeRegistry;
  /** Descriptors, for tests whose nodes rely on defaults; none if absent. */
  readonly kinds?: KindTable;
  /** JSON of the start items; one empty item if absent. */
  readonly input?: readonly JsonObject[];
  readonly start?: string;
  readonly definition?: JsonObject;
  readonly mode?: 'manual' | 'webhook';
  readonly usePinData?: boolean;
  /** `e1` if absent. A repeated run has the same. */
  readonly executionId?: string;
  readonly signal?: AbortSignal;
  readonly nodeRunsMax?: number;
  readonly state?: EngineState;
  readonly records?: RunData;
  readonly resume?: Resume;
  readonly stop?: (nodeRuns: number) => StopReason | undefined;
  /** Sees each node run when the observer does, with all records up to it. */
  readonly onNodeRun?: (event: NodeRunEvent, records: RunData) => void;
  readonly respond?: NodePorts['respond'];
  readonly startChild?: NodePorts['startChild'];
  /** Unix milliseconds that the clock shows. */
  readonly now?: number;
  readonly thread?: RunDeps['thread'];
  readonly publicUrl?: string;
  /** The way out for streamed requests; refused if absent. */
  readonly streams?: OutboundStreams;
  /** The way out for mail; refused if absent. */
  readonly mail?: MailSender;
  /** Refused if absent. */
  readonly persistentState?: NodePorts['persistentState'];
  /** Data of every credential; its id and type if absent. */
  readonly credential?: JsonObject;
  /** Limits and observers of calls of models; none if absent. */
  readonly models?: ModelPorts;
  /** Further ports; their calls fail if absent. */
  readonly ports?: Partial<NodePorts>;
}

/** Result of a test run. */
export interface TestResult {
  readonly outcome: RunOutcome;
  readonly records: RunData;
  /** State shared by the nodes of the run. */
  readonly runMemory?: JsonObject;
  /** Names of the nodes in the order in which they ran. */
  readonly order: readonly string[];
  readonly events: readonly NodeRunEvent[];
  /** Milliseconds that were slept, one entry for each time. */
  readonly slept: readonly number[];
}

/** Runs a workflow of stub kinds on the real engine. Time does not pass: sleeping is noted and over at once. */
export async function runTest(test: TestRun): Promise<TestResult> {
  const events: NodeRunEvent[] = [];
  const slept: number[] = [];
  const start = test.start ?? test.nodes[0]?.[0] ?? '';
  const stored = new Map<string, readonly NodeRunRecord[]>(test.records ?? []);
  const onNodeRun = (event: NodeRunEvent): void => {
    events.push(event);
    stored.set(event.node, [...(stored.get(event.node) ?? []), event.record]);
    test.onNodeRun?.(event, stored);
  };
  const { outcome, records, runMemory } = await runWorkflow(
    {
      workflow: prepareWorkflow(readDefinition(definitionOf(test)), test.kinds ?? new Map()),
      workflowId: 'w1',
      workflowActive: true,
      executionId: test.executionId ?? 'e1',
      mode: test.mode ?? 'manual',
      input: (test.input ?? [{}]).map((json) => ({ json })),
      state: test.state ?? initialState(start),
      records: test.records ?? new Map(),
      usePinData: test.usePinData ?? true,
      signal: test.signal ?? new AbortController().signal,
      ...(test.resume === undefined ? {} : { resume: test.resume }),
    },
    {
      registry: registryOf(test),
      ports: portsOf(test, slept),
      defaultTimezone: 'UTC',
      vars: {},
      env: {},
      nodeRunsMax: test.nodeRunsMax ?? 1_000,
      ...(test.models === undefined ? {} : { models: test.models }),
      ...(test.publicUrl === undefined ? {} : { publicUrl: test.publicUrl }),
      ...(test.thread === undefined ? {} : { thread: test.thread }),
    },
    { onNodeRun, stopRequested: () => test.stop?.(events.length) },
  );
  const memory = runMemory === undefined ? {} : { runMemory };
  return { outcome, records, ...memory, order: orderOf(records), events, slept };
}

/** Runs a workflow piece by piece: after every node run its state and records go through their stored form. */
export async function runInPieces(test: TestRun): Promise<TestResult> {
  let piece = await runTest({ ...test, stop: (nodeRuns) => (nodeRuns > 0 ? 'drain' : undefined) });
  while (piece.outcome.kind === 'stopped') {
    const state = decodeState(encodeState(piece.outcome.state));
    const stored: [string, NodeRunRecord[]][] = JSON.parse(JSON.stringify([...piece.records]));
    piece = await runTest({
      ...test,
      state,
      records: new Map(stored),
      stop: (nodeRuns) => (nodeRuns > 0 ? 'drain' : undefined),
    });
  }
  return piece;
}

/** JSON of the items of one output of a node run; undefined if it did not take place. */
export function jsonOf(result: Pick<TestResult, 'records'>, node: string, run = 0, output = 0): Json[] | undefined {
  return itemsOf(result, node, run, output)?.map((item) => item.json);
}

/** Items of one output of a node run. */
export function itemsOf(
  result: Pick<TestResult, 'records'>,
  node: string,
  run = 0,
  output = 0,
): readonly Item[] | undefined {
  return result.records.get(node)?.[run]?.data?.main?.[output];
}

/** Passes its current items on. */
export const pass: RunNode = (context) => ({
  kind: 'items',
  outputs: [context.items.map(({ json }, item) => ({ json, pairedItem: { item } }))],
});

/** Returns the items of its parameter `items`, without links. */
export const emit: RunNode = (context) => ({ kind: 'items', outputs: [emitted(context)] });

/** Sends each item to the output that its field `out` names. */
export const route: RunNode = (context) => {
  const outputs: Item[][] = [[], [], []];
  context.items.forEach(({ json }, item) => outputs[Number(json['out'])]?.push({ json, pairedItem: { item } }));
  return { kind: 'items', outputs };
};

/** Returns the items of all inputs, one input after the other. */
export const join: RunNode = (context) => ({
  kind: 'items',
  outputs: [
    Array.from({ length: context.inputCount }, (_, input) =>
      context.input(input).map(({ json }, item) => ({ json, pairedItem: { item, input } })),
    ).flat(),
  ],
});

function emitted(context: NodeContext): Item[] {
  const items = context.rawParameter('items');
  return (Array.isArray(items) ? items : []).map((value) => ({ json: { value } }));
}

/** The definition that a test runs. */
export function definitionOf(test: Pick<TestRun, 'nodes' | 'links' | 'definition'>): JsonObject {
  const connections: Record<string, Record<string, { node: string; type: string; index: number }[][]>> = {};
  for (const link of test.links) {
    const [ends = '', type = 'main'] = link.split('@');
    const [from = '', to = ''] = ends.split('>');
    const [source = '', output = '0'] = from.split(':');
    const [target = '', input = '0'] = to.split(':');
    const outputs = ((connections[source] ??= {})[type] ??= []);
    while (outputs.length <= Number(output)) outputs.push([]);
    outputs[Number(output)]?.push({ node: target, type, index: Number(input) });
  }
  const nodes = test.nodes.map(([name, kind, over], index) => ({
    name,
    type: `test-nodes-base.${kind}`,
    position: [0, index * 100],
    parameters: {},
    ...over,
  }));
  const definition: JsonObject = JSON.parse(JSON.stringify({ name: 'Test', nodes, connections, ...test.definition }));
  return definition;
}

function registryOf({ executors, registry }: TestRun): NodeRegistry {
  const own = new Map(
    Object.entries(executors).map(([kind, executor]): [string, NodeExecutor] => [
      kind,
      typeof executor === 'function' ? { kind, run: executor, actsOutside: false } : { kind, ...executor },
    ]),
  );
  return registry === undefined ? own : new FallbackRegistry(own, registry);
}

/** Executors, with those of another registry for kinds that it does not have. */
class FallbackRegistry extends Map<string, NodeExecutor> {
  constructor(
    own: ReadonlyMap<string, NodeExecutor>,
    private readonly others: NodeRegistry,
  ) {
    super(own);
  }

  override get(kind: string): NodeExecutor | undefined {
    return super.get(kind) ?? this.others.get(kind);
  }
}

function portsOf(test: TestRun, slept: number[]): NodePorts {
  const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this test.'));
  return {
    http: { request: refuse },
    streams: test.streams ?? { stream: refuse },
    mail: test.mail ?? { send: refuse },
    databases: { postgres: refuse, mysql: refuse, redis: refuse, mongo: refuse },
    remote: { mailbox: refuse, ssh: refuse, ftp: refuse },
    credentials: { use: ({ id, type }) => Promise.resolve(test.credential ?? { id, type }) },
    clock: { now: () => test.now ?? 1_700_000_000_000, sleep: (ms) => Promise.resolve(void slept.push(ms)) },
    files: { read: refuse, store: refuse },
    code: { run: refuse },
    formats: { run: refuse },
    persistentState: test.persistentState ?? { read: refuse, write: refuse, inTurn: refuse, firstResult: refuse },
    dataTables: memoryDataTables([]),
    fileArea: memoryFileArea(),
    instance: { isHere: refuse, call: refuse },
    startChild: test.startChild ?? refuse,
    respond: test.respond ?? (() => Promise.resolve(true)),
    ...test.ports,
  };
}

function orderOf(records: RunData): string[] {
  return [...records]
    .flatMap(([node, runs]) => runs.map((run) => ({ node, index: run.executionIndex })))
    .sort((a, b) => a.index - b.index)
    .map(({ node }) => node);
}
