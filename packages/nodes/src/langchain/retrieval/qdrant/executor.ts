import { type FoundDocument, type NodeContext, NodeFailure } from '@weft/engine';
import { field, type Json, type JsonObject, numberField, objectField, textField } from '@weft/node-catalogue';
import { textParameter } from '../../../shared/read-parameter';
import { inBatches, vectorJson } from '../vector-store/batches';
import type { EmbeddedDocument } from '../vector-store/store-backend';
import { storeExecutor } from '../vector-store/store-executor';
import { objectOption, resourceName } from '../vector-store/store-parameters';
import { askStore, objectsIn, statusOf, storeService, type StoreRequest } from '../vector-store/store-service';

const QDRANT = storeService({ credentialType: 'qdrantApi', addressField: 'qdrantUrl', address: '' });
const BOUNDS = { documents: 500, characters: 4_000_000 };

/** A collection, and the fields of its points. */
interface Collection {
  readonly name: string;
  readonly content: string;
  readonly metadata: string;
}

/** Stores documents in a collection of Qdrant. */
export const vectorStoreQdrant = storeExecutor('vectorStoreQdrant', {
  insert: async (context, itemIndex, documents) => {
    const [first] = documents;
    if (first === undefined) return;
    const collection = collectionOf(context, itemIndex);
    await ensureCollection(context, itemIndex, collection, first.vector.length);
    await inBatches(
      context,
      documents,
      BOUNDS,
      (document) => pointOf(document, collection),
      (points) =>
        ask(context, itemIndex, collection, {
          method: 'PUT',
          path: '/points?wait=true',
          body: `{"points":[${points.join(',')}]}`,
        }),
    );
  },
  search: async (context, itemIndex, { vector, limit }) => {
    const collection = collectionOf(context, itemIndex);
    const filter = objectOption(context, 'options.searchFilterJson', itemIndex, 'Search filter');
    const answer = await ask(context, itemIndex, collection, {
      path: '/points/query',
      body: {
        query: [...vector],
        ...(filter === undefined ? {} : { filter }),
        limit,
        with_vector: false,
        with_payload: [collection.metadata, collection.content],
      },
    });
    return objectsIn(field(field(answer, 'result'), 'points')).map((point) => foundDocument(point, collection));
  },
});

const collectionOf = (context: NodeContext, itemIndex: number): Collection => ({
  name: resourceName(context, 'qdrantCollection', itemIndex, 'Collection'),
  content: textParameter(context, 'options.contentPayloadKey', itemIndex) || 'content',
  metadata: textParameter(context, 'options.metadataPayloadKey', itemIndex) || 'metadata',
});

const ask = (
  context: NodeContext,
  itemIndex: number,
  { name }: Collection,
  request: Pick<StoreRequest, 'method' | 'path' | 'body'>,
): Promise<Json> =>
  askStore(context, QDRANT, {
    ...request,
    path: `/collections/${encodeURIComponent(name)}${request.path}`,
    itemIndex,
    missing: `Collection ${name} not found`,
  });

/** Creates a collection that is missing. @throws NodeFailure if it has vectors of another length */
async function ensureCollection(
  context: NodeContext,
  itemIndex: number,
  collection: Collection,
  size: number,
): Promise<void> {
  try {
    const found = await ask(context, itemIndex, collection, { method: 'GET', path: '' });
    const params = field(field(field(found, 'result'), 'config'), 'params');
    const stored = numberField(field(params, 'vectors'), 'size');
    if (stored === undefined || stored === size) return;
    throw new NodeFailure(`The collection ${collection.name} has vectors of ${stored} numbers, not of ${size}`, {
      itemIndex,
      description: 'Use the embedding model for which the collection was created, or another collection.',
    });
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown;
  }
  const given = objectOption(context, 'options.collectionConfig', itemIndex, 'Collection config');
  try {
    const body = given ?? { vectors: { size, distance: 'Cosine' } };
    await ask(context, itemIndex, collection, { method: 'PUT', path: '', body });
  } catch (thrown) {
    // another run has created it meanwhile
    if (statusOf(thrown) !== 409) throw thrown;
  }
}

function pointOf({ id, vector, pageContent, metadata }: EmbeddedDocument, collection: Collection): string {
  const payload = JSON.stringify({ [collection.content]: pageContent, [collection.metadata]: metadata });
  return `{"id":${JSON.stringify(id)},"vector":${vectorJson(vector)},"payload":${payload}}`;
}

function foundDocument(point: JsonObject, { content, metadata }: Collection): FoundDocument {
  const payload = objectField(point, 'payload') ?? {};
  const { id } = point;
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
    pageContent: textField(payload, content) ?? '',
    metadata: objectField(payload, metadata) ?? {},
    score: numberField(point, 'score') ?? 0,
  };
}
