import { attach, modelNode } from '../agents';
import { node, type NodeFile } from '../workflows';

/** A vector store that a story uses. */
export interface StoryStore {
  /** Without the prefix of the package. */
  readonly kind: string;
  /** Start of the paths of its webhooks. */
  readonly path: string;
  /** Parameters that name the store. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** Options of insertions and searches. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Credentials of the store's nodes. */
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

/** Parts of a workflow with a store that are the same for all stores of a story. */
export interface StoreScene {
  /** Id of a credential of OpenAI's type. */
  readonly embedding: string;
  /** Response mode of the webhook that inserts; `onReceived` if absent. */
  readonly responseMode?: 'onReceived' | 'lastNode';
}

/**
 * A workflow with two webhooks: `<path>-add` inserts the strings of `texts`, and `<path>-ask` responds with the 1,000
 * documents closest to `prompt`.
 */
export function storeWorkflow(store: StoryStore, { embedding, responseMode = 'onReceived' }: StoreScene): object {
  const { kind, path, resource, options = {}, credentials } = store;
  const hook = (name: string, suffix: string, more: object): NodeFile =>
    node(name, 'webhook', 2, 0, { httpMethod: 'POST', path: `${path}-${suffix}`, ...more });
  const storeNode = (name: string, parameters: object): NodeFile =>
    modelNode(
      name,
      kind,
      1.3,
      { ...resource, options, ...parameters },
      credentials === undefined ? {} : { credentials },
    );
  return {
    name: `Documents ${path}`,
    settings: { executionOrder: 'v1' },
    nodes: [
      hook('Add', 'add', { responseMode }),
      node('Split', 'splitOut', 1, 200, {
        fieldToSplitOut: 'body.texts',
        options: { destinationFieldName: 'text' },
      }),
      storeNode('Insert', { mode: 'insert' }),
      modelNode('Loader', 'documentDefaultDataLoader', 1, {
        jsonMode: 'expressionData',
        jsonData: '={{ $json.text }}',
        options: {},
      }),
      hook('Ask', 'ask', { responseMode: 'lastNode', responseData: 'allEntries' }),
      storeNode('Search', { mode: 'load', prompt: '={{ $json.body.prompt }}', topK: 1_000 }),
      modelNode(
        'Embeddings',
        'embeddingsOpenAi',
        1.2,
        { options: {} },
        { credentials: { openAiApi: { id: embedding, name: 'Models' } } },
      ),
    ],
    connections: {
      Add: { main: [[{ node: 'Split', type: 'main', index: 0 }]] },
      Split: { main: [[{ node: 'Insert', type: 'main', index: 0 }]] },
      Ask: { main: [[{ node: 'Search', type: 'main', index: 0 }]] },
      ...attach([['Loader', 'ai_document', 'Insert']]),
      Embeddings: {
        ai_embedding: [['Insert', 'Search'].map((name) => ({ node: name, type: 'ai_embedding', index: 0 }))],
      },
    },
  };
}

/** Text of each document of a response of `<path>-ask`. @throws Error for any other response */
export function textsOf(answer: string): string[] {
  const found: unknown = JSON.parse(answer);
  if (!Array.isArray(found)) throw new Error(answer.slice(0, 500));
  return found.map((one: { readonly document?: { readonly pageContent?: string } }) => one.document?.pageContent ?? '');
}
