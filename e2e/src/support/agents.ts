import type { Rest } from './rest';
import { textOf } from './rest';
import { node, type NodeFile } from './workflows';

const PACKAGE = '@n8n/n8n-nodes-langchain';

/** A node of n8n's package for models. */
export const modelNode = (
  name: string,
  kind: string,
  version: number,
  parameters: NodeFile['parameters'],
  over = {},
): NodeFile => ({
  ...node(name, kind, version, 0, parameters),
  type: `${PACKAGE}.${kind}`,
  ...over,
});

/** The node `Model` that calls the model `gpt-test`. @param credential id of one of OpenAI's type */
export const chatModel = (credential: string): NodeFile =>
  modelNode(
    'Model',
    'lmChatOpenAi',
    1.2,
    { model: { __rl: true, mode: 'id', value: 'gpt-test' }, options: {} },
    { credentials: { openAiApi: { id: credential, name: 'Models' } } },
  );

/** Links of sub-nodes: by the sub-node, its type and the node that uses it. */
export const attach = (
  links: readonly (readonly [from: string, type: string, to: string])[],
): Record<string, Record<string, { node: string; type: string; index: number }[][]>> =>
  Object.fromEntries(links.map(([from, type, to]) => [from, { [type]: [[{ node: to, type, index: 0 }]] }]));

/** Stores a credential for models of OpenAI's format at an address. */
export const openAiCredential = async (rest: Rest, url: string, apiKey = 'sk-test-0123456789'): Promise<string> =>
  textOf(await rest('POST', '/credentials', { name: 'Models', type: 'openAiApi', data: { apiKey, url } }), 'id');

/** Stores and activates a workflow. */
export const activate = async (rest: Rest, workflow: object): Promise<string> => {
  const created = await rest('POST', '/workflows', { settings: { executionOrder: 'v1' }, ...workflow });
  const id = textOf(created, 'id');
  const activated = await rest('POST', `/workflows/${id}/activate`);
  if (activated.status !== 200) throw new Error(activated.text);
  return id;
};
