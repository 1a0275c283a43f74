import { StackError, waitUntil } from '@weft/local-stack';
import { createCall, createLists, idOf, type Api, type WorkflowBody } from '../api';

const REGISTERED_LIMIT_MS = 10_000;

const webhookPaths = ({ nodes }: WorkflowBody): string[] =>
  nodes.flatMap(({ type, parameters }) =>
    type.endsWith('.webhook') && 'path' in parameters ? [String(parameters.path)] : [],
  );

/** n8n names the methods of a webhook to browsers of other origins: a question that starts no run. */
const isRegistered = async (url: string): Promise<boolean> => {
  const reply = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://localhost' } });
  await reply.arrayBuffer();
  return reply.headers.get('access-control-allow-methods')?.includes('POST') ?? false;
};

/** A client of the public API of n8n, which activates a workflow by a separate request and takes its calls later. */
export const createN8nApi = (baseUrl: string, apiKey: string): Api => {
  const headers = { 'x-n8n-api-key': apiKey, 'content-type': 'application/json' };
  const call = createCall(baseUrl, headers);
  const activate = async (id: string, workflow: WorkflowBody): Promise<void> => {
    await call('POST', `/workflows/${id}/activate`, {});
    for (const path of webhookPaths(workflow)) {
      const url = `${baseUrl}/webhook/${path}`;
      if ((await waitUntil(() => isRegistered(url), { limitMs: REGISTERED_LIMIT_MS })) !== true)
        throw new StackError(`n8n does not register the webhook ${path}.`);
    }
  };
  return {
    baseUrl,
    headers,
    create: async (workflow) => {
      const { name, nodes, connections, settings } = workflow;
      const id = idOf(await call('POST', '/workflows', { name, nodes, connections, settings }));
      if (workflow.active === true) await activate(id, workflow);
      return id;
    },
    ...createLists(call, ['running', 'new']),
  };
};
