import { type FoundDocument, type NodeContext, NodeFailure } from '@weft/engine';
import { field, isJsonObject } from '@weft/node-catalogue';
import { toJson } from '@weft/expressions';
import { booleanParameter } from '../../../shared/read-parameter';
import { storeExecutor } from '../vector-store/store-executor';
import { ClosestDocuments } from './closest-documents';
import { StoredVectors } from './stored-vectors';

const MAX_KEY = 200;

/** Stores documents in the files of the workflow. */
export const vectorStoreInMemory = storeExecutor('vectorStoreInMemory', {
  insert: (context, itemIndex, documents) => {
    const clears = booleanParameter(context, 'clearStore', itemIndex, false) && itemIndex === 0;
    return new StoredVectors(context, keyOf(context, itemIndex)).insert(documents, clears, itemIndex);
  },
  search: async (context, itemIndex, vector, limit): Promise<readonly FoundDocument[]> => {
    const key = keyOf(context, itemIndex);
    const closest = new ClosestDocuments(vector, limit);
    await new StoredVectors(context, key).each((document) => closest.add(document));
    if (closest.otherLength !== undefined)
      throw new NodeFailure(
        `The store "${key}" has vectors of ${closest.otherLength} numbers, but the query has ${vector.length}`,
        { itemIndex, description: 'Use the embedding model with which its documents were stored.' },
      );
    return closest.found;
  },
});

function keyOf(context: NodeContext, itemIndex: number): string {
  const given = toJson(context.parameter('memoryKey', itemIndex));
  const value = isJsonObject(given) ? field(given, 'value') : given;
  const key = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (key === '') throw new NodeFailure(`"Memory key" of "${context.node.name}" is empty for this item`, { itemIndex });
  if (key.length > MAX_KEY)
    throw new NodeFailure(`"Memory key" of "${context.node.name}" has more than ${MAX_KEY} characters`, { itemIndex });
  return key;
}
