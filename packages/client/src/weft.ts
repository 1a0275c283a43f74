import { OPERATIONS, type Operations } from './api/operations.gen.js';
import type { Execution, ExecutionEvent } from './api/types.gen.js';
import { createFollow, type Connect, type EventOptions } from './follow.js';
import { mayRepeat, pause, PAUSE_MS } from './repeat.js';
import { errorOf, unanswered, WeftError } from './weft-error.js';

/** Where and how to call the API. */
export interface WeftOptions {
  /** Address of the gateway, with or without `/api/v1`. */
  readonly baseUrl: string;
  /** The API key, or a function that returns the current one; absent: cookies of the page are sent. */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** Timeout of one request in milliseconds. Default: 35,000, a little more than the server takes. */
  readonly timeoutMs?: number;
  /** Retries of a request that is safe to repeat, after 429, 503 or no response. Default: 3. */
  readonly retries?: number;
}

/** Names of the operations. */
export type OperationId = keyof Operations;

type Given<Data, Name extends string> = Data extends { readonly [Key in Name]: infer Value }
  ? { readonly [Key in Name]: Value }
  : Data extends { readonly [Key in Name]?: infer Value }
    ? { readonly [Key in Name]?: Exclude<Value, undefined> }
    : object;

/** Arguments of an operation: those of the document, and how to send them. */
export type Args<Id extends OperationId> = ArgsFor<Operations[Id]['data']>;

/** For each operation: intersections of unions would combine the parts of all operations. */
type ArgsFor<Data> = Data extends unknown
  ? Given<Data, 'path'> &
      Given<Data, 'query'> &
      Given<Data, 'body'> & {
        /** Further headers, for example `If-Match`. */
        readonly headers?: Readonly<Record<string, string>>;
        readonly signal?: AbortSignal;
      }
  : never;

/** The arguments may be left out if none is required. */
type ArgsOf<Id extends OperationId> = object extends Args<Id> ? [args?: Args<Id>] : [args: Args<Id>];

/**
 * The body of a successful response: JSON as an object, a file as a Blob. A response without a body, which only headers
 * such as `Prefer: return=minimal` request, is undefined.
 */
export type Body<Id extends OperationId> = Exclude<
  Operations[Id]['responses'][keyof Operations[Id]['responses']],
  void
>;

/** Operations that return pages. */
export type ListOperation = {
  [Id in OperationId]: Body<Id> extends { data: readonly unknown[]; nextCursor?: string | null } ? Id : never;
}[OperationId];

/** An entry of a list. */
export type EntryOf<Id extends ListOperation> = Body<Id> extends { data: readonly (infer Entry)[] } ? Entry : never;

/** How to run a workflow. */
export interface RunOptions {
  /** Passed to the run. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly startNode?: string;
  readonly usePinData?: boolean;
  /** False: returns as soon as the run is stored. Default: true. */
  readonly wait?: boolean;
  /** Milliseconds to wait for the end. Default: 600,000. */
  readonly timeoutMs?: number;
  /** Runs with the same key are one run. Default: a new key. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** A run that was started. */
export interface StartedRun {
  readonly executionId: string;
  /** The execution with its data; undefined if it has not ended, or was not waited for. */
  readonly execution: Execution | undefined;
}

/** Arguments of any endpoint; `path` fills the names in braces. */
export interface AnyArgs {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A successful response of any endpoint. */
export interface AnyResponse {
  readonly status: number;
  /** Such as `etag`, for the next change of a workflow. */
  readonly headers: Headers;
  /** JSON as a value, a file as a Blob. */
  readonly body: unknown;
}

/** Typed calls of the REST API. */
export interface Weft {
  /** Calls any endpoint below `/api/v1`, such as `PUT` `/workflows/{id}`, untyped. @throws WeftError */
  readonly request: (method: string, path: string, args?: AnyArgs) => Promise<AnyResponse>;
  /** Calls an operation. @throws WeftError */
  readonly call: <Id extends OperationId>(id: Id, ...args: ArgsOf<Id>) => Promise<Body<Id>>;
  /** Reads all entries of a list, page by page. @throws WeftError */
  readonly pages: <Id extends ListOperation>(id: Id, ...args: ArgsOf<Id>) => AsyncGenerator<EntryOf<Id>, void>;
  /** Starts a workflow and waits for its end. @throws WeftError */
  readonly run: (workflowId: string, options?: RunOptions) => Promise<StartedRun>;
  /**
   * Follows the events of an execution until its end, each once and in order. Continues after the last event where the
   * connection is cut. @throws WeftError
   */
  readonly events: (executionId: string, options?: EventOptions) => AsyncGenerator<ExecutionEvent, void>;
}

const DEFAULT_TIMEOUT_MS = 35_000;
const DEFAULT_RETRIES = 3;
const DEFAULT_RUN_MS = 600_000;
const MIN_POLL_MS = 1_000;
const PAGE = 100;

const urlOf = (base: string, path: string, { path: names = {}, query = {} }: AnyArgs): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return `${base}${filled}${search === '' ? '' : `?${search}`}`;
};

/** True if repeating a request has no further effect. */
const isRepeatable = (method: string, headers: Headers): boolean =>
  method === 'GET' || headers.has('idempotency-key') || (method !== 'POST' && headers.has('if-match'));

/** Prepares calls; nothing is sent yet. */
export const createWeft = (options: WeftOptions): Weft => {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options;
  const base = `${options.baseUrl.replace(/\/$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
  // Looked up for each request: a page may replace it.
  const send = options.fetch ?? ((url, init) => globalThis.fetch(url, init));

  const headersOf = async ({ headers, body }: AnyArgs): Promise<Headers> => {
    const sent = new Headers(headers);
    if (body !== undefined) sent.set('content-type', 'application/json');
    const { apiKey } = options;
    if (apiKey !== undefined) sent.set('x-svc-api-key', typeof apiKey === 'string' ? apiKey : await apiKey());
    return sent;
  };

  const sendOnce = async (
    method: string,
    path: string,
    args: AnyArgs,
    headers: Headers,
    timeout = AbortSignal.timeout(timeoutMs),
  ): Promise<Response> => {
    const signal = args.signal === undefined ? timeout : AbortSignal.any([args.signal, timeout]);
    try {
      return await send(urlOf(base, path, args), {
        method,
        headers,
        signal,
        ...(args.body === undefined ? {} : { body: JSON.stringify(args.body) }),
      });
    } catch (error) {
      throw unanswered(error);
    }
  };

  const request = async (method: string, path: string, args: AnyArgs = {}): Promise<AnyResponse> => {
    const headers = await headersOf(args);
    for (let left = isRepeatable(method, headers) ? retries : 0; ; left -= 1)
      try {
        const response = await sendOnce(method, path, args, headers);
        if (!response.ok) throw await errorOf(response);
        const { status } = response;
        if (status === 204) return { status, headers: response.headers, body: undefined };
        const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
        const isFile = response.headers.has('content-disposition');
        const body: unknown = await (isJson && !isFile ? response.json() : response.blob());
        return { status, headers: response.headers, body };
      } catch (error) {
        const failure = error instanceof WeftError ? error : unanswered(error);
        if (left <= 0 || args.signal?.aborted === true || !mayRepeat(failure)) throw failure;
        await pause(failure.retryAfterMs ?? PAUSE_MS * 2 ** (retries - left), args.signal);
      }
  };

  const callAny = async (id: OperationId, args: AnyArgs): Promise<unknown> => {
    const [method = '', path = ''] = OPERATIONS[id].split(' ');
    return (await request(method, path, args)).body;
  };

  // The table of operations and the types are generated from the same document.
  const call = <Id extends OperationId>(id: Id, ...[args]: ArgsOf<Id>): Promise<Body<Id>> =>
    callAny(id, { ...args }) as Promise<Body<Id>>;

  const pages = async function* <Id extends ListOperation>(
    id: Id,
    ...[args]: ArgsOf<Id>
  ): AsyncGenerator<EntryOf<Id>, void> {
    const given: AnyArgs = { ...args };
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: PAGE, ...given.query, ...(cursor === undefined ? {} : { cursor }) };
      const page = (await callAny(id, { ...given, query })) as { data: EntryOf<Id>[]; nextCursor?: string | null };
      yield* page.data;
      cursor = page.nextCursor ?? null;
    }
  };

  const untilEnded = async (
    id: string,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<Execution | undefined> => {
    const over = AbortSignal.timeout(Math.max(0, Math.ceil(end - performance.now())));
    const either = signal === undefined ? over : AbortSignal.any([signal, over]);
    try {
      for (;;) {
        const begun = performance.now();
        const { data } = await call('getExecution', {
          path: { id },
          // The server responds when the run has ended, or after 25 s.
          query: { includeData: false, wait: true },
          signal: either,
        });
        if (data.status === 'success' || data.status === 'error')
          return (await call('getExecution', { path: { id }, ...(signal === undefined ? {} : { signal }) })).data;
        await pause(MIN_POLL_MS - (performance.now() - begun), either);
      }
    } catch (error) {
      if (over.aborted && signal?.aborted !== true) return undefined;
      throw error;
    }
  };

  const connect: Connect = async (id, after, signal) => {
    const headers = await headersOf({ headers: { accept: 'text/event-stream', 'last-event-id': String(after) } });
    const [method = '', path = ''] = OPERATIONS.listExecutionEvents.split(' ');
    return sendOnce(method, path, { path: { id } }, headers, signal);
  };

  return {
    request,
    call,
    pages,
    events: createFollow(connect, { retries, timeoutMs }),
    run: async (workflowId, given = {}) => {
      const { input, startNode, usePinData, wait = true, timeoutMs: runMs = DEFAULT_RUN_MS, signal } = given;
      const end = performance.now() + runMs;
      const { data } = await call('executeWorkflow', {
        path: { id: workflowId },
        body: {
          ...(input === undefined ? {} : { data: { ...input } }),
          ...(startNode === undefined ? {} : { startNode }),
          ...(usePinData === undefined ? {} : { usePinData }),
        },
        headers: { 'idempotency-key': given.idempotencyKey ?? crypto.randomUUID() },
        ...(signal === undefined ? {} : { signal }),
      });
      const { executionId } = data;
      return { executionId, execution: wait ? await untilEnded(executionId, end, signal) : undefined };
    },
  };
};
