import { type NodeExecutor, NodeFailure } from '@weft/engine';
import { supplyEmbedding } from './supply-embedding';

/** A sub-node that provides an embedding model. @param kind the name without its prefix */
const embeddingExecutor = (kind: string): NodeExecutor => ({
  kind: `langchain.${kind}`,
  actsOutside: true,
  run: ({ node }) => {
    throw new NodeFailure(`The node "${node.name}" makes embeddings, which only other nodes can use`, {
      description: 'Connect it to the embedding input of a vector store.',
    });
  },
  supplies: { ai_embedding: (context) => supplyEmbedding(kind, context) },
});

export const embeddingsAzureOpenAi = embeddingExecutor('embeddingsAzureOpenAi');
export const embeddingsCohere = embeddingExecutor('embeddingsCohere');
export const embeddingsGoogleGemini = embeddingExecutor('embeddingsGoogleGemini');
export const embeddingsMistralCloud = embeddingExecutor('embeddingsMistralCloud');
export const embeddingsOllama = embeddingExecutor('embeddingsOllama');
export const embeddingsOpenAi = embeddingExecutor('embeddingsOpenAi');
