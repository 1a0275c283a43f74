/** The REST API of the stack under test. */
export interface Api {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly create: (workflow: unknown) => Promise<string>;
  /** How many of the newest executions of a workflow are still running, at most 1. */
  readonly hasRunning: (workflowId: string) => Promise<boolean>;
  /** Starts a workflow and waits until its execution has ended. @throws Error if it did not end well */
  readonly executeToEnd: (workflowId: string) => Promise<void>;
}

const LIMIT_MS = 30_000;
const POLL_MS = 2;

const field = (value: unknown, name: string): unknown => (typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined);

/** A client of one gateway. */
export const createApi = (baseUrl: string, apiKey: string): Api => {
  const headers = { 'x-svc-api-key': apiKey, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown): Promise<{ data: unknown }> => {
    const reply = await fetch(`${baseUrl}/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }), signal: AbortSignal.timeout(LIMIT_MS) });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    const json: { data: unknown } = JSON.parse(await reply.text());
    return json;
  };
  return {
    baseUrl,
    headers,
    create: async (workflow) => {
      const { data } = await call('POST', '/workflows', workflow);
      return String(field(data, 'id'));
    },
    hasRunning: async (workflowId) => {
      const { data } = await call('GET', `/executions?workflowId=${workflowId}&status=running&limit=1`);
      return Array.isArray(data) && data.length > 0;
    },
    executeToEnd: async (workflowId) => {
      const { data: started } = await call('POST', `/workflows/${workflowId}/execute`, {});
      const id = String(field(started, 'executionId'));
      const end = performance.now() + LIMIT_MS;
      for (;;) {
        const { data } = await call('GET', `/executions?workflowId=${workflowId}&limit=1`);
        const [newest]: unknown[] = Array.isArray(data) ? data : [];
        const status = field(newest, 'id') === id ? field(newest, 'status') : undefined;
        if (status === 'success') return;
        if (status === 'error' || performance.now() > end) throw new Error(`The execution ${id} did not end well: ${String(status)}.`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  };
};
