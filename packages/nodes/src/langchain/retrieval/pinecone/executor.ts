import { type FoundDocument, type NodeContext, NodeFailure } from '@weft/engine';
import { field, type JsonObject, numberField, objectField, textField } from '@weft/node-catalogue';
import { booleanParameter, textParameter } from '../../../shared/read-parameter';
import { inBatches, vectorJson } from '../vector-store/batches';
import type { EmbeddedDocument } from '../vector-store/store-backend';
import { storeExecutor } from '../vector-store/store-executor';
import { metadataFilter, resourceName } from '../vector-store/store-parameters';
import { askStore, objectsIn, statusOf, storeService } from '../vector-store/store-service';
import { flatMetadata } from './flat-metadata';

/** The API of indexes, which tells the host of each. */
const PINECONE = storeService({
  credentialType: 'pineconeApi',
  addressField: '',
  address: 'https://api.pinecone.io',
  hosts: ['*.pinecone.io'],
});
const HEADERS = [['X-Pinecone-API-Version', '2025-01']] as const;
/** A request may have 2 MB. */
const BOUNDS = { documents: 100, characters: 1_900_000 };
const TEXT = 'text';
const HOST = /^[a-z\d.-]+$/i;

/** An index of an account. */
interface PineconeIndex {
  readonly name: string;
  readonly address: string;
  /** Length of its vectors; undefined for vectors without a length. */
  readonly dimension: number | undefined;
  readonly namespace: string;
}

/** Stores documents in an index of Pinecone. */
export const vectorStorePinecone = storeExecutor('vectorStorePinecone', {
  insert: async (context, itemIndex, documents) => {
    const index = await findIndex(context, itemIndex);
    if (itemIndex === 0 && booleanParameter(context, 'options.clearNamespace', itemIndex, false))
      await clear(context, itemIndex, index);
    await upsert(context, itemIndex, index, documents);
  },
  update: async (context, itemIndex, id, document) => {
    await upsert(context, itemIndex, await findIndex(context, itemIndex), [{ ...document, id }]);
  },
  search: async (context, itemIndex, { vector, limit }) => {
    const index = await findIndex(context, itemIndex);
    const filter = metadataFilter(context, itemIndex);
    const answer = await ask(context, itemIndex, index, '/query', {
      namespace: index.namespace,
      topK: limit,
      ...(filter === undefined ? {} : { filter }),
      includeMetadata: true,
      vector: [...vector],
    });
    return objectsIn(field(answer, 'matches')).map(foundDocument);
  },
});

/** @throws NodeFailure if the account has no such index */
async function findIndex(context: NodeContext, itemIndex: number): Promise<PineconeIndex> {
  const name = resourceName(context, 'pineconeIndex', itemIndex, 'Index');
  const described = await askStore(context, PINECONE, {
    method: 'GET',
    path: `/indexes/${encodeURIComponent(name)}`,
    headers: HEADERS,
    itemIndex,
    missing: `Index ${name} not found`,
  });
  const host = textField(described, 'host') ?? '';
  if (!HOST.test(host)) throw new NodeFailure(`The service names no host of the index ${name}`, { itemIndex });
  return {
    name,
    address: `https://${host}`,
    dimension: numberField(described, 'dimension'),
    namespace: textParameter(context, 'options.pineconeNamespace', itemIndex),
  };
}

const ask = (context: NodeContext, itemIndex: number, index: PineconeIndex, path: string, body: JsonObject | string) =>
  askStore(context, PINECONE, {
    path: `${index.address}${path}`,
    headers: HEADERS,
    body,
    itemIndex,
    missing: `Index ${index.name} not found`,
  });

/** Empties a namespace that has a name. One that does not exist is empty. */
async function clear(context: NodeContext, itemIndex: number, index: PineconeIndex): Promise<void> {
  if (index.namespace === '') return;
  try {
    await ask(context, itemIndex, index, '/vectors/delete', { deleteAll: true, namespace: index.namespace });
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown;
  }
}

async function upsert(
  context: NodeContext,
  itemIndex: number,
  index: PineconeIndex,
  documents: readonly EmbeddedDocument[],
): Promise<void> {
  const length = documents[0]?.vector.length;
  if (length !== undefined && index.dimension !== undefined && index.dimension !== length)
    throw new NodeFailure(`The index ${index.name} has vectors of ${index.dimension} numbers, not of ${length}`, {
      itemIndex,
      description: 'Use the embedding model for which the index was created.',
    });
  const namespace = JSON.stringify(index.namespace);
  await inBatches(context, documents, BOUNDS, vectorOf, (vectors) =>
    ask(context, itemIndex, index, '/vectors/upsert', `{"vectors":[${vectors.join(',')}],"namespace":${namespace}}`),
  );
}

function vectorOf({ id, vector, metadata, pageContent }: EmbeddedDocument): string {
  const stored = JSON.stringify({ ...flatMetadata(metadata), [TEXT]: pageContent });
  return `{"id":${JSON.stringify(id)},"values":${vectorJson(vector)},"metadata":${stored}}`;
}

function foundDocument(match: JsonObject): FoundDocument {
  const { [TEXT]: content, ...metadata } = objectField(match, 'metadata') ?? {};
  const id = textField(match, 'id');
  return {
    ...(id === undefined ? {} : { id }),
    pageContent: typeof content === 'string' ? content : String(content ?? ''),
    metadata,
    score: numberField(match, 'score') ?? 0,
  };
}
