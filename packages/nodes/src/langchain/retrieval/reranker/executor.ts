import {
  type FoundDocument,
  type NodeExecutor,
  NodeFailure,
  type Reranker,
  type RetrievalDocument,
  type SupplyContext,
} from '@weft/engine';
import { numberField } from '@weft/node-catalogue';
import { ResponseBudget } from '../../../shared/http/response/response-budget';
import { numberParameter, textParameter } from '../../../shared/read-parameter';
import { subNodeOnly } from '../../parsers/sub-node-only';
import { requestJson, type Service } from '../../vendor/service';
import { shownDocuments } from '../shown-documents';
import { objectsIn } from '../vector-store/store-service';

const COHERE: Service = {
  credentialType: 'cohereApi',
  addressField: '',
  address: 'https://api.cohere.com',
  timeoutMs: 60_000,
};
/** Bytes of a response, which contains numbers only. */
const MAX_RESPONSE = 1024 * 1024;
/** Characters of all documents of a request. */
const MAX_CHARACTERS = 4_194_304;

/** Orders documents by their relevance, with Cohere. */
export const rerankerCohere: NodeExecutor = {
  kind: 'langchain.rerankerCohere',
  actsOutside: true,
  run: subNodeOnly,
  supplies: { ai_reranker: rerankerOf },
};

function rerankerOf(context: SupplyContext): Reranker {
  return {
    rerank: async (query, documents) =>
      documents.length === 0
        ? []
        : context.record({ query: query.slice(0, 65_536), documents: shownDocuments(documents) }, async () => {
            const result = await rerank(context, query, documents);
            return { result, output: { response: shownDocuments(result) } };
          }),
  };
}

async function rerank(
  context: SupplyContext,
  query: string,
  documents: readonly RetrievalDocument[],
): Promise<readonly FoundDocument[]> {
  const { itemIndex, node } = context;
  const limit = Math.floor(numberParameter(context, 'topN', itemIndex, 3));
  if (limit < 1) throw new NodeFailure(`"Top N" of "${node.name}" must be at least 1`, { itemIndex });
  const characters = documents.reduce((sum, { pageContent }) => sum + pageContent.length, 0);
  if (characters > MAX_CHARACTERS)
    throw new NodeFailure(
      `The documents for "${node.name}" have ${characters} characters; at most ${MAX_CHARACTERS} are possible`,
      { itemIndex, description: 'Lower the limit of the vector store, or use smaller chunks.' },
    );
  const answer = await requestJson(context, COHERE, {
    path: '/v1/rerank',
    body: {
      kind: 'json',
      value: {
        model: textParameter(context, 'modelName', itemIndex),
        query,
        documents: documents.map(({ pageContent }) => pageContent),
        top_n: limit,
      },
    },
    itemIndex,
    budget: new ResponseBudget(MAX_RESPONSE),
  });
  const seen = new Set<number>();
  return objectsIn(answer['results']).flatMap((one): FoundDocument[] => {
    const index = numberField(one, 'index') ?? -1;
    const document = documents[index];
    if (document === undefined || seen.has(index)) return [];
    seen.add(index);
    return [{ ...document, score: numberField(one, 'relevance_score') ?? 0 }];
  });
}
