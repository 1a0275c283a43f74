import {
  type Item,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  output,
  type SupplyContext,
  type Tool,
  type VectorStore,
} from '@weft/engine';
import { toolName } from '@weft/node-catalogue';
import { eachItem, failedItem } from '../../../shared/each-item';
import { choiceParameter, textParameter } from '../../../shared/read-parameter';
import { respondToEach, TEXT_INPUT, textInput } from '../../tools/input-tool';
import { documentsOfJson } from '../loader/load-json';
import { documentId } from './document-id';
import { documentsOf, embedDocuments, type IdentifiedDocument } from './embed-documents';
import { InsertionSize } from './insertion-size';
import { limitOf, searchStore, shownDocument, toolDocument } from './search-store';
import type { StoreBackend } from './store-backend';

/** The version up to which the name of the tool is a parameter. */
const NAMED_UNTIL = 1.2;
/** Since this version, the documents of all items are stored together, with the parameters for the first. */
const TOGETHER_SINCE = 1.1;
const MAX_DESCRIPTION = 16_000;
const MODES = ['load', 'insert', 'retrieve', 'retrieve-as-tool', 'update'] as const;

/** The executor of a vector store: a node, a tool or a sub-node, by its mode. */
export const storeExecutor = (kind: string, backend: StoreBackend): NodeExecutor => ({
  kind: `langchain.${kind}`,
  actsOutside: (shape) => ['insert', 'update'].includes(String(shape.rawParameter('mode'))),
  run: (context) => {
    const mode = choiceParameter(context, 'mode', 0, MODES, 'retrieve');
    if (mode === 'insert') return insert(context, backend);
    if (mode === 'load') return load(context, backend);
    if (mode === 'update') return update(context, backend);
    if (mode === 'retrieve-as-tool') return retrieve(context, backend);
    throw new NodeFailure(`"${context.node.name}" is a vector store for other nodes`, {
      description: 'Connect it to the node that uses it, or choose another operation mode.',
    });
  },
  supplies: {
    ai_tool: toolOf,
    ai_vectorStore: (context) => recordedStore(context, backend),
  },
});

async function insert(context: NodeContext, backend: StoreBackend): Promise<NodeResult> {
  const made: Item[] = [];
  const all: IdentifiedDocument[] = [];
  const size = new InsertionSize(context);
  for (const index of context.items.keys()) {
    try {
      const documents = (await documentsOf(context, index)).map((document, part) => ({
        ...document,
        id: documentId(context, index, part),
      }));
      await size.add(documents);
      if (context.version < TOGETHER_SINCE) {
        size.checkCount(documents.length);
        await backend.insert(context, index, await embedDocuments(context, index, documents));
      } else {
        size.checkCount(all.length + documents.length);
        all.push(...documents);
      }
      for (const { metadata, pageContent } of documents)
        made.push({ json: { metadata, pageContent }, pairedItem: { item: index } });
    } catch (thrown) {
      made.push(...failedItem(context, index, thrown));
    }
    const pause = context.pause();
    if (pause !== undefined) await pause;
  }
  if (context.version >= TOGETHER_SINCE) await backend.insert(context, 0, await embedDocuments(context, 0, all));
  return output(made);
}

/** Replaces the document with the id of an item by the one string that the item has. */
async function update(context: NodeContext, backend: StoreBackend): Promise<NodeResult> {
  return output(
    await eachItem(context, async ({ json }, itemIndex) => {
      const { name } = context.node;
      if (backend.update === undefined)
        throw new NodeFailure(`"${name}" cannot update documents`, { description: 'Choose another operation mode.' });
      const id = textParameter(context, 'id', itemIndex).trim();
      if (id === '') throw new NodeFailure(`"ID" of "${name}" is empty for this item`, { itemIndex });
      const documents = documentsOfJson(json, '', itemIndex);
      const [document] = await embedDocuments(context, itemIndex, documents.slice(0, 1));
      if (document === undefined || documents.length > 1)
        throw new NodeFailure(`The item for "${name}" has ${documents.length} strings; it must have exactly one`, {
          itemIndex,
          description: 'Leave only the field with the new text in the item, for example with an Edit Fields node.',
        });
      await backend.update(context, itemIndex, id, document);
      const { metadata, pageContent } = document;
      return [{ json: { metadata, pageContent } }];
    }),
  );
}

async function load(context: NodeContext, backend: StoreBackend): Promise<NodeResult> {
  return output(
    await eachItem(context, async (_item, index) => {
      const prompt = textParameter(context, 'prompt', index);
      const found = await searchStore(context, backend, index, prompt, limitOf(context, index));
      return found.map((one) => ({ json: { document: shownDocument(context, index, one), score: one.score } }));
    }),
  );
}

const retrieve = (context: NodeContext, backend: StoreBackend): Promise<NodeResult> =>
  respondToEach(context, async (index) => {
    const found = await searchStore(context, backend, index, textInput(context, index), limitOf(context, index));
    return found.map((one) => ({ type: 'text', text: JSON.stringify(toolDocument(context, index, one)) }));
  });

function toolOf(context: SupplyContext): Tool {
  const { itemIndex, node, version } = context;
  const given = version <= NAMED_UNTIL ? textParameter(context, 'toolName', itemIndex) : '';
  const description = textParameter(context, 'toolDescription', itemIndex).slice(0, MAX_DESCRIPTION);
  const name = toolName(given) || toolName(node.name) || 'vector_store';
  return {
    functions: [
      { name, description: description || `Finds documents in "${node.name}" for a query.`, parameters: TEXT_INPUT },
    ],
  };
}

/** The store as other nodes use it: each search is a run of its node. */
function recordedStore(context: SupplyContext, backend: StoreBackend): VectorStore {
  return {
    search: (query, limit) =>
      context.record({ query: query.slice(0, 65_536), k: limit }, async () => {
        const result = await searchStore(context, backend, context.itemIndex, query, limit);
        const response = result.map(({ pageContent, metadata, score }) => ({ pageContent, metadata, score }));
        return { result, output: { response } };
      }),
  };
}
