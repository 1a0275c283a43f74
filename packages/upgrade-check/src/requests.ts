import type { Crowd, CrowdRequest, Reply } from '@weft/chaos/crowd';
import { chain, node, webhook } from '@weft/chaos/workflow-file';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request of the API, with every reply to it. */
export interface Asked {
  /** Such as `PUT /workflows/…`. */
  readonly what: string;
  readonly replies: readonly Reply[];
  /** Sentence about an answer that is not the expected one; undefined if it is. */
  readonly refusal: string | undefined;
}

/** Requests of an API user, one after the other. */
export interface Requester {
  /** All requests so far. */
  readonly asked: readonly Asked[];
  /** Stores, changes, activates, deactivates and deletes a workflow and others, and reads them and recent runs. */
  readonly round: (index: number) => Promise<void>;
}

const ATTEMPTS = 20;
const PAUSE_MS = 100;

const definitionOf = (index: number, amount: number): object => {
  const set = node('Set', 'set', 3.4, { mode: 'raw', jsonOutput: `{"amount":${amount}}`, options: {} });
  const nodes = [webhook(`changed-${index}`, 'lastNode'), set];
  const { active: _active, ...definition } = chain(`changed ${index}`, nodes, false);
  return definition;
};

const storedId = (text: string): string => {
  const body: { readonly data?: { readonly id?: string } } = JSON.parse(text);
  return body.data?.id ?? '';
};

/** A user of the API behind one address. A request whose connection was cut is sent again; a refused one is not. */
export const createRequester = (crowd: Crowd, apiKey: string): Requester => {
  const asked: Asked[] = [];
  const send = async (request: CrowdRequest, expected: number): Promise<string> => {
    const replies: Reply[] = [];
    const method = request.method ?? 'POST';
    const what = `${method} ${request.path}`;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const reply = await crowd.send(request);
      replies.push(reply);
      if (reply.kind === 'broken') {
        await sleep(PAUSE_MS);
        continue;
      }
      // a creation or deletion whose connection was cut may have happened
      const mayBeDone = attempt > 0 && reply.status === (method === 'DELETE' ? 404 : 409);
      const isExpected = reply.status === expected || mayBeDone;
      const refusal = isExpected ? undefined : `${what}: ${reply.status} ${reply.text.slice(0, 200)}`;
      asked.push({ what, replies, refusal });
      return reply.status === expected ? reply.text : '';
    }
    asked.push({ what, replies, refusal: `${what}: cut ${ATTEMPTS} times` });
    return '';
  };
  const api = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    expected: number,
    body?: object,
  ): Promise<string> =>
    send(
      {
        method,
        path: `/api/v1${path}`,
        headers: { 'x-svc-api-key': apiKey },
        body: body === undefined ? '' : JSON.stringify(body),
      },
      expected,
    );
  return {
    asked,
    round: async (index) => {
      const stored = await api('POST', '/workflows', 201, definitionOf(index, 1));
      const id = stored === '' ? '' : storedId(stored);
      await api('GET', '/workflows?limit=5', 200);
      const variable = await api('POST', '/variables', 201, { key: `changed_${index}`, value: 'one' });
      if (id !== '') {
        await api('POST', `/workflows/${id}/activate`, 200);
        await send({ path: `/webhook/changed-${index}`, headers: {}, body: '{}' }, 200);
        await api('PUT', `/workflows/${id}`, 200, definitionOf(index, 2));
        await send({ path: `/webhook/changed-${index}`, headers: {}, body: '{}' }, 200);
        await api('GET', `/executions?workflowId=${id}&limit=5`, 200);
        await api('POST', `/workflows/${id}/deactivate`, 200);
        await api('DELETE', `/workflows/${id}`, 200);
      }
      if (variable !== '') await api('DELETE', `/variables/${storedId(variable)}`, 200);
      await api('GET', '/credentials?limit=5', 200);
      await api('GET', '/users', 200);
    },
  };
};
