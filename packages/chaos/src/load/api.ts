import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowFile } from './workflow-file';

/** An answer of the REST API. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

/** The REST API as a careful client uses it: reads and idempotent writes are repeated until a gateway answers. */
export interface Api {
  readonly get: (path: string) => Promise<ApiAnswer>;
  /** Stores a workflow; returns its id. @throws Error if it is refused */
  readonly create: (workflow: WorkflowFile) => Promise<string>;
  /** Stores a credential; returns its id. @throws Error if it is refused */
  readonly createCredential: (credential: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly replace: (id: string, workflow: WorkflowFile) => Promise<void>;
  readonly deactivate: (id: string) => Promise<void>;
  readonly start: (workflowId: string, data: unknown) => Promise<ApiAnswer>;
}

const TIMEOUT_MS = 15_000;
const ATTEMPTS = 40;

/** A client of all gateways with one key. */
export const createApi = (baseUrls: readonly string[], apiKey: string): Api => {
  let turn = 0;
  const ask = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    turn += 1;
    const reply = await fetch(`${baseUrls[turn % baseUrls.length] ?? ''}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-svc-api-key': apiKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: reply.status, text: await reply.text() };
  };
  const withRetries = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    let last = 'no answer';
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const answer = await ask(method, path, body);
        if (answer.status !== 503 && answer.status !== 429) return answer;
        last = answer.text;
      } catch (error) {
        last = String(error);
      }
      await sleep(250);
    }
    throw new Error(`${method} ${path} was not answered: ${last}`);
  };
  const stored = (answer: ApiAnswer, what: string): string => {
    const json: { data?: { id?: string } } = answer.status < 300 ? JSON.parse(answer.text) : {};
    if (json.data?.id === undefined)
      throw new Error(`${what} was refused: ${answer.status} ${answer.text.slice(0, 400)}`);
    return json.data.id;
  };
  return {
    get: (path) => withRetries('GET', path),
    create: async (workflow) => stored(await withRetries('POST', '/workflows', workflow), `Workflow ${workflow.name}`),
    createCredential: async (credential) =>
      stored(await withRetries('POST', '/credentials', credential), 'The credential'),
    replace: async (id, workflow) =>
      void stored(await withRetries('PUT', `/workflows/${id}`, workflow), `Workflow ${workflow.name}`),
    deactivate: async (id) =>
      void stored(await withRetries('POST', `/workflows/${id}/deactivate`), `The deactivation of ${id}`),
    start: (workflowId, data) => ask('POST', `/workflows/${workflowId}/execute`, { data }),
  };
};
