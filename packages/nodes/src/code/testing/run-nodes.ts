import type { Json, JsonObject } from '@weft/node-catalogue';
import { readDefinition } from '@weft/node-catalogue';
import {
  type ExecutionError,
  type ExecutionMode,
  type FileStore,
  initialState,
  type Item,
  type NodeRegistry,
  type NodeRunRecord,
  prepareWorkflow,
  runWorkflow,
} from '@weft/engine';
import type { CodeRunner } from '@weft/sandbox';
import { KIND_TABLE } from '../../descriptors/kinds';
import { NODE_REGISTRY } from '../../executors';
import { memoryDataTables, memoryFileArea, memoryFiles } from '@weft/engine/testing';
import type { MemoryState } from '../../testing/memory-state';
import { memoryState } from '../../testing/memory-state';

/** A node: its name, kind, parameters and other fields. */
export type TestNode = readonly [name: string, kind: string, parameters: JsonObject, over?: JsonObject];

/** Result of running a chain of nodes. */
export interface NodesResult {
  readonly error: ExecutionError | undefined;
  /** Runs of a node by its name. */
  readonly runs: (name: string) => readonly NodeRunRecord[];
  /** Items of a node's first output. */
  readonly items: (name: string, output?: number) => readonly Item[];
  readonly json: (name: string, output?: number) => readonly Json[];
}

/** Options of the run. By default a manual run, in execution `e1`, without state from earlier runs. */
export interface NodesRun {
  readonly mode?: ExecutionMode;
  readonly executionId?: string;
  readonly kept?: MemoryState;
  /** Creates the token of the resume URLs; without it there are none. */
  readonly resumeToken?: () => string;
  /** Default: all executors. */
  readonly registry?: NodeRegistry;
}

/** Runs real nodes in a chain; the first one gets the given items. */
export async function runNodes(
  code: CodeRunner,
  nodes: readonly TestNode[],
  items: readonly Item[] = [{ json: {} }],
  files: FileStore = memoryFiles(),
  how: NodesRun = {},
): Promise<NodesResult> {
  const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this test.'));
  const { outcome, records } = await runWorkflow(
    {
      workflow: prepareWorkflow(readDefinition(definitionOf(nodes)), KIND_TABLE),
      workflowId: 'w1',
      workflowActive: false,
      executionId: how.executionId ?? 'e1',
      mode: how.mode ?? 'manual',
      input: items,
      state: initialState(nodes[0]?.[0] ?? ''),
      records: new Map(),
      usePinData: false,
      signal: new AbortController().signal,
    },
    {
      registry: how.registry ?? NODE_REGISTRY,
      defaultTimezone: 'America/New_York',
      vars: { limit: 5 },
      env: { REGION: 'eu' },
      nodeRunsMax: 100,
      ...(how.resumeToken === undefined ? {} : { publicUrl: 'https://here', resumeToken: how.resumeToken }),
      ports: {
        http: { request: refuse },
        streams: { stream: refuse },
        mail: { send: refuse },
        databases: { postgres: refuse, mysql: refuse, redis: refuse, mongo: refuse },
        remote: { mailbox: refuse, ssh: refuse, ftp: refuse },
        credentials: { use: refuse },
        clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
        files,
        code,
        formats: { run: refuse },
        persistentState: (how.kept ?? memoryState()).state,
        dataTables: memoryDataTables([]),
        fileArea: memoryFileArea(),
        instance: { isHere: refuse, call: refuse },
        startChild: refuse,
        respond: () => Promise.resolve(true),
      },
    },
    { onNodeRun: () => undefined, stopRequested: () => undefined },
  );
  const itemsOf = (name: string, output = 0): readonly Item[] => records.get(name)?.[0]?.data?.main?.[output] ?? [];
  return {
    error: outcome.kind === 'error' ? outcome.error : undefined,
    runs: (name) => records.get(name) ?? [],
    items: itemsOf,
    json: (name, output) => itemsOf(name, output).map(({ json }) => json),
  };
}

function definitionOf(nodes: readonly TestNode[]): JsonObject {
  const links = nodes
    .slice(1)
    .map(([name], index): [string, JsonObject] => [
      nodes[index]?.[0] ?? '',
      { main: [[{ node: name, type: 'main', index: 0 }]] },
    ]);
  return {
    name: 'Test',
    settings: {},
    connections: Object.fromEntries(links),
    nodes: nodes.map(([name, kind, parameters, over], index) => ({
      id: `id-${name}`,
      name,
      type: `n8n-nodes-base.${kind}`,
      position: [index * 200, 0],
      parameters,
      ...over,
    })),
  };
}
