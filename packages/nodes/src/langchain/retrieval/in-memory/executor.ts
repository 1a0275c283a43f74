import { type FoundDocument, NodeFailure } from '@weft/engine';
import { booleanParameter } from '../../../shared/read-parameter';
import { storeExecutor } from '../vector-store/store-executor';
import { resourceName } from '../vector-store/store-parameters';
import { ClosestDocuments } from './closest-documents';
import { StoredVectors } from './stored-vectors';

/** Stores documents in the files of the workflow. */
export const vectorStoreInMemory = storeExecutor('vectorStoreInMemory', {
  insert: (context, itemIndex, documents) => {
    const clears = booleanParameter(context, 'clearStore', itemIndex, false) && itemIndex === 0;
    return new StoredVectors(context, resourceName(context, 'memoryKey', itemIndex, 'Memory key')).insert(
      documents,
      clears,
      itemIndex,
    );
  },
  search: async (context, itemIndex, { vector, limit }): Promise<readonly FoundDocument[]> => {
    const key = resourceName(context, 'memoryKey', itemIndex, 'Memory key');
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
