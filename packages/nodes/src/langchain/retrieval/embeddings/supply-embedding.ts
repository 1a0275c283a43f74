import { type EmbeddingModel, NodeFailure, type Recorded, type SupplyContext } from '@weft/engine';
import {
  createEmbeddingClient,
  EMBEDDING_LIMITS,
  type EmbeddingClient,
  type EmbeddingEndpoint,
  embeddingOfNode,
  type EmbeddingPurpose,
  type NodeEmbedding,
  providerOfEmbedding,
} from '@weft/models';
import { allowedHostsOfModel, credentialTypeOf } from '../../models/model-credential';
import { modelFailure } from '../../models/model-failure';
import { modelPorts } from '../../models/model-ports';
import { readModelNode } from '../../models/read-model-node';
import { storedText } from '../../models/stored-text';
import { tokensOf } from '../../models/token-estimate';

/** Characters of all strings of a request that its record shows. */
const MAX_RECORDED = 64 * 1024;
/** Numbers of all vectors of one embedding: 5,000 vectors of 6,500 numbers, in 128 MB. */
const MAX_NUMBERS = 32 * 1024 * 1024;

/**
 * The embedding model of a sub-node, for the item of the root. Texts are sent in batches; each request is one record.
 * @param kind the name without its prefix
 * @throws NodeFailure for a missing credential, and for parameters or a credential that name no model
 */
export async function supplyEmbedding(kind: string, context: SupplyContext): Promise<EmbeddingModel> {
  const node = await embeddingIn(context, kind);
  const client = createEmbeddingClient(node.endpoint, modelPorts(context));
  return {
    name: node.endpoint.model,
    embed: async (texts, purpose) => {
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(context, texts, node)) {
        vectors.push(...(await embedBatch(context, { client, endpoint: node.endpoint }, batch, purpose)));
        const length = vectors[0]?.length;
        if (vectors.some((vector) => vector.length !== length))
          throw new NodeFailure(`The embeddings of "${context.node.name}" have different lengths`, {
            description: 'The service changed its model between two requests. Run the node again.',
          });
        if (vectors.length * (length ?? 0) > MAX_NUMBERS)
          throw new NodeFailure(`The embeddings of "${context.node.name}" have more than ${MAX_NUMBERS} numbers`, {
            description: 'Insert fewer documents at once, or use a model with shorter vectors.',
          });
        const pause = context.pause();
        if (pause !== undefined) await pause;
      }
      return vectors;
    },
  };
}

async function embeddingIn(context: SupplyContext, kind: string): Promise<NodeEmbedding> {
  const credential = await context.credential(credentialTypeOf(kind));
  try {
    return embeddingOfNode(readModelNode(kind, context), credential, allowedHostsOfModel(credential));
  } catch (thrown) {
    throw modelFailure(thrown, { endpoint: undefined, signal: context.signal, itemIndex: context.itemIndex });
  }
}

/** Texts by request: as many as a request may have, and at most 512 KB. @throws NodeFailure for a longer text */
function batchesOf(context: SupplyContext, texts: readonly string[], node: NodeEmbedding): string[][] {
  const most = node.settings.batchSize ?? EMBEDDING_LIMITS.texts;
  const batches: string[][] = [];
  let current: string[] = [];
  let bytes = 0;
  for (const text of texts.map((one) => (node.stripsNewLines ? one.replaceAll('\n', ' ') : one))) {
    const size = Buffer.byteLength(text);
    if (size > EMBEDDING_LIMITS.textBytes)
      throw new NodeFailure(
        `A text for "${context.node.name}" has ${size} bytes; at most ${EMBEDDING_LIMITS.textBytes} are possible`,
        { itemIndex: context.itemIndex, description: 'Connect a text splitter, or use smaller chunks.' },
      );
    if (current.length > 0 && (current.length >= most || bytes + size > EMBEDDING_LIMITS.textBytes)) {
      batches.push(current);
      current = [];
      bytes = 0;
    }
    current.push(text);
    bytes += size;
  }
  return current.length === 0 ? batches : [...batches, current];
}

async function embedBatch(
  context: SupplyContext,
  { client, endpoint }: { readonly client: EmbeddingClient; readonly endpoint: EmbeddingEndpoint },
  texts: readonly string[],
  purpose: EmbeddingPurpose,
): Promise<readonly Float32Array[]> {
  const estimate = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  const share = Math.max(200, Math.floor(MAX_RECORDED / texts.length));
  const shown = texts.map((text) => storedText(text, share));
  const input = purpose === 'query' ? { query: shown[0] ?? '' } : { documents: shown };
  const call = {
    operation: 'embeddings',
    provider: providerOfEmbedding(endpoint),
    model: endpoint.model,
    baseUrl: endpoint.baseUrl,
    estimatedTokens: estimate,
  } as const;
  return context.callModel(call, async () => {
    const { vectors, used } = await context.record(input, () =>
      embedOnce(context, client, { texts, purpose }, estimate),
    );
    return { result: vectors, response: { usage: { inputTokens: used, outputTokens: 0, totalTokens: used } } };
  });
}

/** Vectors, and the tokens that were used for them. */
interface Counted {
  readonly vectors: readonly Float32Array[];
  readonly used: number;
}

async function embedOnce(
  { signal, itemIndex }: SupplyContext,
  client: EmbeddingClient,
  call: { readonly texts: readonly string[]; readonly purpose: EmbeddingPurpose },
  estimate: number,
): Promise<Recorded<Counted>> {
  try {
    const { vectors, tokens } = await client.embed({ ...call, signal });
    const used = tokens ?? estimate;
    return {
      result: { vectors, used },
      // the vectors themselves are in the store alone
      output: {
        response: { vectors: vectors.length, dimensions: vectors[0]?.length ?? 0 },
        [tokens === undefined ? 'tokenUsageEstimate' : 'tokenUsage']: { promptTokens: used, totalTokens: used },
      },
    };
  } catch (thrown) {
    throw modelFailure(thrown, { endpoint: undefined, signal, itemIndex });
  }
}
