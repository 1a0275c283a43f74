import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject, readDefinition, typeOf } from '@weft/node-catalogue';
import {
  type BinaryReference,
  type DataTables,
  type ExecutionError,
  type ExecutionMode,
  type FileArea,
  type FileStore,
  type HttpResponse,
  type InstanceApi,
  initialState,
  type Item,
  type NodeExecutor,
  type NodePorts,
  type NodeRegistry,
  type NodeRunRecord,
  prepareWorkflow,
  runWorkflow,
  type WaitRequest,
} from '@weft/engine';
import type { CodeRunner, TaskRunner } from '@weft/sandbox';
import type { Databases, MailSender, OutboundHttp, OutboundStreams, RemoteServers } from '@weft/outbound';
import { KIND_TABLE } from '../../descriptors/kinds';
import { NODE_REGISTRY } from '../../executors';
import { memoryDataTables, memoryFileArea, memoryFiles } from '@weft/engine/testing';
import { inProcessFormats } from '../files/in-process-formats';
import type { MemoryState } from '../memory-state';
import { addedNodes, caseExecutors, type CaseSubNodes, userOf } from './sub-nodes';

export interface KindRun extends CaseSubNodes {
  readonly version?: number;
  readonly parameters?: JsonObject;
  /** JSON of the items of input 0; one empty item by default. */
  readonly items?: readonly JsonObject[];
  /** JSON of the items by input, for nodes with several. */
  readonly inputs?: readonly (readonly JsonObject[])[];
  /** Further fields of the node, such as `onError`. */
  readonly node?: JsonObject;
  readonly mode?: ExecutionMode;
  readonly timezone?: string;
  /** Current time of the clock in Unix milliseconds. */
  readonly now?: number;
  /** Makes the node the start of the run, with the items as its input. */
  readonly isStart?: boolean;
  /** Files of the run; a separate store by default. */
  readonly files?: FileStore;
  /** The outbound client; calls fail by default. */
  readonly http?: OutboundHttp;
  /** The client for streamed responses; calls fail by default. */
  readonly streams?: OutboundStreams;
  /** The sender of mail; calls fail by default. */
  readonly mail?: MailSender;
  /** Clients of databases; calls fail by default. */
  readonly databases?: Databases;
  /** Mailboxes and other servers; calls fail by default. */
  readonly remote?: RemoteServers;
  /** Starts sub-workflows; calls fail by default. */
  readonly startChild?: NodePorts['startChild'];
  /** Runs the code of Code nodes. */
  readonly code?: CodeRunner;
  /** Reads and writes untrusted data; in this process by default. */
  readonly formats?: TaskRunner;
  /** Persistent state of the workflow. */
  readonly kept?: MemoryState;
  /** Data tables; none by default. */
  readonly dataTables?: DataTables;
  /** File area of the workflow; one with `storedFiles` by default. */
  readonly fileArea?: FileArea;
  /** The API of this instance; calls fail by default. */
  readonly instance?: InstanceApi;
  /** Content of the files in the area, by path. */
  readonly storedFiles?: Readonly<Record<string, string>>;
  /** Id of the execution; `e1` by default. */
  readonly executionId?: string;
  /** Data of every credential that the node references. */
  readonly credential?: JsonObject;
  /** Files of each item of input 0. */
  readonly binary?: Item['binary'];
  /** Kind of the node before it; a plain source by default. */
  readonly after?: string;
  /** Further parameters of that node. */
  readonly afterParameters?: JsonObject;
  /** Wraps the JSON that the sources output, for tests that observe how it is used. */
  readonly watch?: (json: JsonObject) => JsonObject;
  /** Kind of the node at which the run starts, before the sources; noOp by default. */
  readonly from?: string;
}

/** Result of running a node of a real kind. */
export interface KindResult {
  /** JSON of the items by output; empty if the node failed. */
  readonly outputs: readonly (readonly Json[])[];
  readonly items: readonly (readonly Item[])[];
  readonly error: ExecutionError | undefined;
  readonly answers: readonly HttpResponse[];
  readonly record: NodeRunRecord | undefined;
  /** The current wait of the run; undefined if it ended. */
  readonly wait: WaitRequest | undefined;
  /** JSON of the items of each source, at the end of the run. */
  readonly given: readonly (readonly Json[])[];
}

/** Outputs the items in its parameter. */
export const sourceOf = ({ watch = (json) => json }: KindRun): NodeExecutor => ({
  kind: 'source',
  actsOutside: false,
  run: (context) => {
    const items = context.rawParameter('items');
    return {
      kind: 'items',
      outputs: [
        (Array.isArray(items) ? items : []).map((entry) => sourceItem(entry, context.rawParameter('binary'), watch)),
      ],
    };
  },
});

/** Runs a node of a real kind on the real engine, after sources that output its items. */
export async function runKind(kind: string, run: KindRun = {}): Promise<KindResult> {
  const answers: HttpResponse[] = [];
  const { outcome, records } = await runWorkflow(
    {
      workflow: prepareWorkflow(readDefinition(definitionOf(kind, run)), KIND_TABLE),
      workflowId: 'w1',
      workflowActive: true,
      executionId: run.executionId ?? 'e1',
      mode: run.mode ?? 'manual',
      input: run.isStart === true ? (run.items ?? [{}]).map((json) => ({ json })) : [{ json: {} }],
      state: initialState(run.isStart === true ? 'Node' : 'Start'),
      records: new Map(),
      usePinData: false,
      signal: new AbortController().signal,
    },
    {
      registry: registry(run),
      ports: testPorts(run, answers),
      publicUrl: 'https://weft.example',
      defaultTimezone: 'UTC',
      vars: {},
      env: {},
      nodeRunsMax: 100,
    },
    { onNodeRun: () => undefined, stopRequested: () => undefined },
  );
  const record = records.get('Node')?.[0];
  const items = record?.data?.main ?? [];
  const given = (run.inputs ?? [run.items]).map((_, input) =>
    (records.get(`Source ${input}`)?.[0]?.data?.main?.[0] ?? []).map((item) => item.json),
  );
  return {
    items,
    outputs: items.map((list) => list.map((item) => item.json)),
    error: record?.error,
    answers,
    record,
    wait: outcome.kind === 'waiting' ? outcome.wait : undefined,
    given,
  };
}

/** JSON of the items on the first output. @throws Error with the node's message if it failed */
export async function outputOf(kind: string, run: KindRun = {}): Promise<readonly Json[]> {
  const { outputs, error } = await runKind(kind, run);
  if (error !== undefined) throw new Error(error.message);
  return outputs[0] ?? [];
}

function sourceItem(json: Json, binary: Json | undefined, watch: (json: JsonObject) => JsonObject): Item {
  const references = Object.entries(binary !== undefined && isJsonObject(binary) ? binary : {}).flatMap(
    ([name, value]) => (isReference(value) ? [[name, value] as const] : []),
  );
  return {
    json: watch(isJsonObject(json) ? json : {}),
    ...(references.length === 0 ? {} : { binary: Object.fromEntries(references) }),
  };
}

function isReference(value: Json): value is BinaryReference {
  return isJsonObject(value) && typeof value['id'] === 'string';
}

/** Sources of the items of a run, and a node of the kind after them; a sub-node is attached to the node after them. */
export function definitionOf(kind: string, run: KindRun): JsonObject {
  const inputs = run.inputs ?? [run.items ?? [{}]];
  const node = (name: string, type: string, over: JsonObject): JsonObject => ({
    name,
    type: typeOf(type),
    position: [0, 0],
    parameters: {},
    ...over,
  });
  const to = (name: string, index = 0): JsonObject => ({ node: name, type: 'main', index });
  const sources = inputs.map((items, input) =>
    node(`Source ${input}`, run.after ?? 'source', {
      parameters: {
        items: [...items],
        ...(run.binary === undefined ? {} : { binary: { ...run.binary } }),
        ...run.afterParameters,
      },
    }),
  );
  const wires = inputs.map((_, input): [string, JsonObject] => [`Source ${input}`, { main: [[to('Node', input)]] }]);
  const used = userOf(kind, run.parameters);
  const own = { parameters: run.parameters ?? {}, ...(run.version === undefined ? {} : { typeVersion: run.version }) };
  const added = addedNodes(run, used === undefined ? 'Node' : 'Sub-node');
  return {
    name: 'Test',
    nodes: [
      node('Start', run.from ?? 'noOp', {}),
      ...sources,
      ...(used === undefined
        ? [node('Node', kind, { ...own, ...run.node })]
        : [node('Node', used.user, { ...run.node }), node('Sub-node', kind, { ...own, ...credentialsOf(run) })]),
      ...added.nodes,
    ],
    connections: {
      Start: { main: [inputs.map((_, input) => to(`Source ${input}`))] },
      ...Object.fromEntries(wires),
      ...(used === undefined ? {} : { 'Sub-node': { [used.type]: [[{ ...to('Node'), type: used.type }]] } }),
      ...added.connections,
    },
    settings: run.timezone === undefined ? {} : { timezone: run.timezone },
  };
}

/** A sub-node has the credentials of the run. */
const credentialsOf = ({ node }: KindRun): JsonObject =>
  node?.['credentials'] === undefined ? {} : { credentials: node['credentials'] };

function registry(run: KindRun): NodeRegistry {
  return new Map([...NODE_REGISTRY, ['source', sourceOf(run)], ...caseExecutors(run)]);
}

/** Ports of a run: those that it gives, and others whose calls fail. */
export function testPorts(run: KindRun, answers: HttpResponse[]): NodePorts {
  const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this test.'));
  return {
    http: run.http ?? { request: refuse },
    streams: run.streams ?? { stream: refuse },
    mail: run.mail ?? { send: refuse },
    databases: run.databases ?? { postgres: refuse, mysql: refuse, redis: refuse, mongo: refuse },
    remote: run.remote ?? { mailbox: refuse, ssh: refuse, ftp: refuse },
    credentials: { use: run.credential === undefined ? refuse : () => Promise.resolve(run.credential ?? {}) },
    clock: { now: () => run.now ?? 1_700_000_000_000, sleep: () => Promise.resolve() },
    files: run.files ?? memoryFiles(),
    code: run.code ?? { run: refuse },
    formats: run.formats ?? inProcessFormats,
    dataTables: run.dataTables ?? memoryDataTables([]),
    fileArea: run.fileArea ?? memoryFileArea(run.storedFiles),
    instance: run.instance ?? { isHere: () => Promise.resolve(false), call: refuse },
    persistentState: run.kept?.state ?? { read: refuse, write: refuse, inTurn: refuse, firstResult: refuse },
    startChild: run.startChild ?? refuse,
    respond: (answer) => Promise.resolve(answers.push(answer) === 1),
  };
}
