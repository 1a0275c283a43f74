import { type NodeExecutor, NodeFailure, type Retriever, type SupplyContext } from '@weft/engine';
import { numberParameter } from '../../../shared/read-parameter';
import { subNodeOnly } from '../../parsers/sub-node-only';
import { shownDocuments } from '../shown-documents';

const MAX_DOCUMENTS = 1_000;

/** Finds documents of a vector store for a chain. */
export const retrieverVectorStore: NodeExecutor = {
  kind: 'langchain.retrieverVectorStore',
  actsOutside: true,
  run: subNodeOnly,
  supplies: { ai_retriever: retrieverOf },
};

async function retrieverOf(context: SupplyContext): Promise<Retriever> {
  const { itemIndex, node } = context;
  const [store] = await context.attached('ai_vectorStore', itemIndex);
  if (store === undefined)
    throw new NodeFailure(`No vector store is connected to "${node.name}"`, {
      itemIndex,
      description: 'Connect a vector store in the mode "Retrieve documents, as a vector store", and enable it.',
    });
  const limit = Math.min(MAX_DOCUMENTS, Math.floor(numberParameter(context, 'topK', itemIndex, 4)));
  if (limit < 1) throw new NodeFailure(`"Limit" of "${node.name}" must be at least 1`, { itemIndex });
  return {
    retrieve: (query) =>
      context.record({ query: query.slice(0, 65_536) }, async () => {
        const result = await store.handle.search(query, limit);
        return { result, output: { response: shownDocuments(result) } };
      }),
  };
}
