import { StackError } from '@weft/local-stack';

/** A page of a list. */
export interface Page {
  readonly count: number;
  readonly nextCursor: string | null;
}

/** The REST API of the stack under test, of this checkout or of another one. */
export interface Api {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Stores a workflow and returns its id. */
  readonly create: (workflow: unknown) => Promise<string>;
  /** Waits until no execution of a workflow is running. @throws StackError after two minutes */
  readonly untilDone: (workflowId: string) => Promise<void>;
  readonly readPage: (path: string) => Promise<Page>;
}

const REQUEST_LIMIT_MS = 30_000;
const DONE_LIMIT_MS = 120_000;
/** Each look costs the stack a list request, so they must not come too often. */
const LOOK_EVERY_MS = 50;

interface Reply {
  readonly data: unknown;
  readonly nextCursor?: string | null;
}

/** A client of one gateway. */
export const createApi = (baseUrl: string, apiKey: string): Api => {
  const headers = { 'x-svc-api-key': apiKey, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const text = await reply.text();
    if (!reply.ok) throw new StackError(`${method} ${path} answered ${reply.status}: ${text.slice(0, 500)}`);
    const json: Reply = JSON.parse(text);
    return json;
  };
  const readPage = async (path: string): Promise<Page> => {
    const { data, nextCursor } = await call('GET', path);
    return { count: Array.isArray(data) ? data.length : 0, nextCursor: nextCursor ?? null };
  };
  return {
    baseUrl,
    headers,
    create: async (workflow) => {
      const { data } = await call('POST', '/workflows', workflow);
      if (typeof data !== 'object' || data === null || !('id' in data)) throw new Error('The workflow has no id.');
      return String(data.id);
    },
    untilDone: async (workflowId) => {
      const end = performance.now() + DONE_LIMIT_MS;
      while ((await readPage(`/executions?workflowId=${workflowId}&status=running&limit=1`)).count > 0) {
        if (performance.now() > end) throw new StackError(`Executions of ${workflowId} do not end.`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    },
    readPage,
  };
};
