import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import {
  type BinaryReference,
  type FileFacts,
  type FileStore,
  type Item,
  NodeFailure,
  type NodeResult,
  referenceTo,
} from '@weft/engine';
import type { OutboundHttp } from '@weft/outbound';
import { runHttpRequest } from '../executor';
import { inProcessFormats } from '../../testing/files/in-process-formats';
import type { FormatContext } from '../../shared/file-formats/run-format-task';
import type { RequestContext } from '../../shared/http/request-context';
import type { PageRoots } from '../../shared/http/settings';

/** A parameter in a test: JSON, or a function that represents an expression. */
export type Stub = Json | ((item: JsonObject, roots: PageRoots) => Json | undefined) | Stub[] | { [key: string]: Stub };

/** Returns the data of a credential. */
export type ReadCredential = (refusedTokenHash: string | undefined) => JsonObject;

export interface NodeRun {
  readonly version?: number;
  readonly parameters: { readonly [key: string]: Stub };
  /** One empty item by default. */
  readonly items?: readonly Item[];
  /** By type; a function is called each time, with the hash of a token that the service refused. */
  readonly credentials?: Readonly<Record<string, JsonObject | ReadCredential>>;
  readonly continueOnFail?: boolean;
  readonly files?: FileStore;
  readonly signal?: AbortSignal;
  /** Called instead of waiting. */
  readonly onSleep?: (ms: number) => void;
}

/** Runs the HTTP request node, or a similar one, with a client and returns the items of its output. */
export async function runNode(
  http: OutboundHttp,
  run: NodeRun,
  runKind: (context: RequestContext & FormatContext) => Promise<NodeResult> = (context) =>
    runHttpRequest(context, run.files),
): Promise<readonly Item[]> {
  const result = await runKind(contextOf(run, http));
  if (result.kind !== 'items') throw new Error('The node must only return items.');
  return result.outputs[0] ?? [];
}

/** Files in memory, by their stored names. */
export class MemoryFiles implements FileStore {
  readonly #bytes = new Map<string, Uint8Array>();

  read(reference: BinaryReference): Promise<Uint8Array> {
    const bytes = this.#bytes.get(reference.id);
    return bytes === undefined ? Promise.reject(new Error('No such file.')) : Promise.resolve(bytes);
  }

  store(bytes: Uint8Array, facts: FileFacts): Promise<BinaryReference> {
    const id = `file-${this.#bytes.size}`;
    this.#bytes.set(id, bytes);
    return Promise.resolve(referenceTo(id, facts, bytes.length));
  }
}

function contextOf(run: NodeRun, http: OutboundHttp): RequestContext & FormatContext {
  const items = run.items ?? [{ json: {} }];
  const signal = run.signal ?? new AbortController().signal;
  const credentials = run.credentials ?? {};
  return {
    node: { id: 'n1', name: 'Fetch ä', type: 'n8n-nodes-base.httpRequest', position: [0, 0], parameters: {} },
    version: run.version ?? 4.4,
    executionId: 'exec-1',
    runIndex: 2,
    items,
    pause: () => undefined,
    parameter: (path, index, roots = {}) => resolved(at(run.parameters, path), items[index]?.json ?? {}, roots),
    jsonParameter: (path, index) => resolved(at(run.parameters, path), items[index]?.json ?? {}, {}),
    rawParameter: (path) => (at(run.parameters, path) === undefined ? undefined : true),
    continueOnFail: run.continueOnFail ?? false,
    credential: async (type, refusedTokenHash) => {
      const given = credentials[type];
      if (given === undefined) throw new NodeFailure(`The node names no credential of type ${type}`);
      const data = typeof given === 'function' ? given(refusedTokenHash) : given;
      return data;
    },
    hide: () => undefined,
    ports: {
      http,
      formats: inProcessFormats,
      clock: {
        now: () => 0,
        sleep: async (ms) => {
          run.onSleep?.(ms);
        },
      },
    },
    signal,
  };
}

function at(tree: { readonly [key: string]: Stub }, path: string): Stub | undefined {
  let value: Stub | undefined = { ...tree };
  for (const step of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

function resolved(stub: Stub | undefined, item: JsonObject, roots: PageRoots): Json | undefined {
  if (typeof stub === 'function') return stub(item, roots);
  if (Array.isArray(stub)) return stub.map((entry) => resolved(entry, item, roots) ?? null);
  if (!isJsonObject(stub)) return typeof stub === 'object' ? null : stub;
  return Object.fromEntries(Object.entries(stub).map(([key, entry]) => [key, resolved(entry, item, roots) ?? null]));
}
