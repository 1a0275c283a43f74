/** The REST API of the stack under test. */
export interface Api {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly create: (workflow: unknown) => Promise<string>;
  /** Number of the newest executions of a workflow that are still running, at most 1. */
  readonly hasRunning: (workflowId: string) => Promise<boolean>;
  /** Calls a webhook once and reads its answer. @throws Error if it is not 200 */
  readonly callWebhook: (path: string) => Promise<void>;
}

const LIMIT_MS = 30_000;

/** A client of one gateway. */
export const createApi = (baseUrl: string, apiKey: string): Api => {
  const headers = { 'x-svc-api-key': apiKey, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown): Promise<{ data: unknown }> => {
    const reply = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    const json: { data: unknown } = JSON.parse(await reply.text());
    return json;
  };
  return {
    baseUrl,
    headers,
    create: async (workflow) => {
      const { data } = await call('POST', '/workflows', workflow);
      if (typeof data !== 'object' || data === null || !('id' in data)) throw new Error('The workflow has no id.');
      return String(data.id);
    },
    hasRunning: async (workflowId) => {
      const { data } = await call('GET', `/executions?workflowId=${workflowId}&status=running&limit=1`);
      return Array.isArray(data) && data.length > 0;
    },
    callWebhook: async (path) => {
      const reply = await fetch(`${baseUrl}/webhook/${path}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const text = await reply.text();
      if (reply.status !== 200) throw new Error(`The webhook ${path} answered ${reply.status}: ${text.slice(0, 200)}`);
    },
  };
};
