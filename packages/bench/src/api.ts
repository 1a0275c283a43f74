import { StackError, waitUntil } from '@weft/local-stack';
import { fieldOf, requestJson } from './json-client';

/** A page of a list. */
export interface Page {
  readonly count: number;
  readonly nextCursor: string | null;
}

/** A workflow to be stored. */
export interface WorkflowBody {
  readonly name: string;
  readonly nodes: readonly { readonly type: string; readonly parameters: object }[];
  readonly connections: object;
  readonly settings: object;
  readonly active?: boolean;
}

/** The REST API of the program under test. */
export interface Api {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Stores a workflow and returns its id. An active one takes calls of its webhooks from then on. */
  readonly create: (workflow: WorkflowBody) => Promise<string>;
  /** Waits until no execution of a workflow is running. @throws StackError after two minutes */
  readonly untilDone: (workflowId: string) => Promise<void>;
  readonly readPage: (path: string) => Promise<Page>;
}

const DONE_LIMIT_MS = 120_000;
/** Each poll costs the stack a list request, so they must not come too often. */
const LOOK_EVERY_MS = 50;

/** Calls an operation below `/api/v1`. */
export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** A client of the operations below `/api/v1`. */
export const createCall =
  (baseUrl: string, headers: Readonly<Record<string, string>>): Call =>
  async (method, path, body) =>
    (await requestJson(`${baseUrl}/api/v1${path}`, { method, headers, body })).json;

/** The id of the stored object. */
export const idOf = (stored: unknown): string => {
  const id = fieldOf(stored, 'id');
  if (typeof id !== 'string') throw new Error('The workflow has no id.');
  return id;
};

/** The parts of an API that are the same in all programs. @param unfinished statuses of unfinished executions */
export const createLists = (call: Call, unfinished: readonly string[]): Pick<Api, 'untilDone' | 'readPage'> => {
  const readPage = async (path: string): Promise<Page> => {
    const page = await call('GET', path);
    const [data, nextCursor] = [fieldOf(page, 'data'), fieldOf(page, 'nextCursor')];
    return {
      count: Array.isArray(data) ? data.length : 0,
      nextCursor: typeof nextCursor === 'string' ? nextCursor : null,
    };
  };
  const isDone = async (workflowId: string): Promise<boolean> => {
    for (const status of unfinished)
      if ((await readPage(`/executions?workflowId=${workflowId}&status=${status}&limit=1`)).count > 0) return false;
    return true;
  };
  return {
    readPage,
    untilDone: async (workflowId) => {
      const bounds = { limitMs: DONE_LIMIT_MS, everyMs: LOOK_EVERY_MS };
      if ((await waitUntil(() => isDone(workflowId), bounds)) !== true)
        throw new StackError(`Executions of ${workflowId} do not end.`);
    },
  };
};

/** A client of a gateway of Weft. */
export const createApi = (baseUrl: string, apiKey: string): Api => {
  const headers = { 'x-svc-api-key': apiKey, 'content-type': 'application/json' };
  const call = createCall(baseUrl, headers);
  return {
    baseUrl,
    headers,
    create: async (workflow) => idOf(fieldOf(await call('POST', '/workflows', workflow), 'data')),
    ...createLists(call, ['running']),
  };
};
