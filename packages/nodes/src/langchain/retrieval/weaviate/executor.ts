import { type NodeContext, NodeFailure } from '@weft/engine';
import { field, isJsonObject, type Json, type JsonObject, textField } from '@weft/node-catalogue';
import { booleanParameter } from '../../../shared/read-parameter';
import { inBatches, vectorJson } from '../vector-store/batches';
import type { EmbeddedDocument } from '../vector-store/store-backend';
import { storeExecutor } from '../vector-store/store-executor';
import { objectsIn, statusOf } from '../vector-store/store-service';
import { searchCollection } from './search';
import { askWeaviate, type Collection, collectionOf } from './weaviate-service';

const BOUNDS = { documents: 200, characters: 4_000_000 };
const MAX_DEPTH = 20;

/** Stores documents in a collection of Weaviate. */
export const vectorStoreWeaviate = storeExecutor('vectorStoreWeaviate', {
  insert: async (context, itemIndex, documents) => {
    const collection = collectionOf(context, itemIndex);
    if (itemIndex === 0 && booleanParameter(context, 'options.clearStore', itemIndex, false))
      await clear(context, itemIndex, collection);
    if (documents.length === 0) return;
    await ensureCollection(context, itemIndex, collection);
    await inBatches(
      context,
      documents,
      BOUNDS,
      (document) => objectOf(document, collection, itemIndex),
      async (objects) => {
        const body = `{"objects":[${objects.join(',')}]}`;
        const answer = await askWeaviate(context, itemIndex, collection, { path: '/v1/batch/objects', body });
        checkStored(answer, itemIndex);
      },
    );
  },
  search: searchCollection,
});

/** Deletes the collection, or the tenant of it, if it exists. */
async function clear(context: NodeContext, itemIndex: number, collection: Collection): Promise<void> {
  const path = `/v1/schema/${collection.name}`;
  try {
    if (collection.tenant === '') await askWeaviate(context, itemIndex, collection, { method: 'DELETE', path });
    else {
      const body = JSON.stringify([collection.tenant]);
      await askWeaviate(context, itemIndex, collection, { method: 'DELETE', path: `${path}/tenants`, body });
    }
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown;
  }
}

async function ensureCollection(context: NodeContext, itemIndex: number, collection: Collection): Promise<void> {
  const request = { method: 'GET', path: `/v1/schema/${collection.name}` } as const;
  try {
    await askWeaviate(context, itemIndex, collection, request);
    return;
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown;
  }
  const tenants = { multiTenancyConfig: { enabled: true, autoTenantCreation: true } };
  try {
    const body: JsonObject = {
      class: collection.name,
      vectorizer: 'none',
      ...(collection.tenant === '' ? {} : tenants),
    };
    await askWeaviate(context, itemIndex, collection, { path: '/v1/schema', body });
  } catch (thrown) {
    // another run has created it meanwhile
    if (statusOf(thrown) !== 422) throw thrown;
    await askWeaviate(context, itemIndex, collection, request);
  }
}

function objectOf(
  { id, vector, pageContent, metadata }: EmbeddedDocument,
  { name, textKey, tenant }: Collection,
  itemIndex: number,
): string {
  if (Object.hasOwn(metadata, 'id'))
    throw new NodeFailure('Documents for Weaviate must not have "id" in their metadata', {
      itemIndex,
      description: 'Rename the field in the document loader.',
    });
  const properties = JSON.stringify({ ...flatProperties(metadata, MAX_DEPTH), [textKey]: pageContent });
  const part = tenant === '' ? '' : `,"tenant":${JSON.stringify(tenant)}`;
  return `{"class":"${name}","id":"${id}"${part},"properties":${properties},"vector":${vectorJson(vector)}}`;
}

/** Metadata as Weaviate takes it: plain values and lists of one type, with underscores in names. */
function flatProperties(metadata: JsonObject, depth: number): JsonObject {
  const flat: [string, Json][] = Object.entries(metadata).flatMap(([key, value]): [string, Json][] => {
    const name = key.replaceAll(/\W/g, '_');
    if (Array.isArray(value)) return isPlainList(value) ? [[name, value]] : [];
    if (!isJsonObject(value)) return value === null ? [] : [[name, value]];
    if (depth === 0) return [];
    return Object.entries(flatProperties(value, depth - 1)).map(([inner, one]) => [`${name}_${inner}`, one]);
  });
  return Object.fromEntries(flat);
}

const isPlainList = (list: readonly Json[]): boolean =>
  list.every((one) => typeof one !== 'object' && typeof one === typeof list[0]);

/** @throws NodeFailure with the words of the service if it has refused an object */
function checkStored(answer: Json, itemIndex: number): void {
  for (const one of objectsIn(answer)) {
    const [failed] = objectsIn(field(field(field(one, 'result'), 'errors'), 'error'));
    if (failed === undefined) continue;
    throw new NodeFailure((textField(failed, 'message') ?? 'The service refused a document').slice(0, 1_000), {
      itemIndex,
      description: 'Check that the vectors have the length of those in the collection, and the types of metadata.',
    });
  }
}
