import type { BackUpPlan } from '@weft/service-kit/back-up';
import { IDEMPOTENCY_COLLECTION } from '@weft/service-kit/idempotency';
import { REPLICAS_COLLECTION } from '@weft/service-kit/replicas';
import { LISTENINGS } from './listening-store';

/**
 * How this database is copied. Versions outlive references to them by at least a day, so they only need to be copied
 * last.
 */
export const BACK_UP_PLAN: BackUpPlan = {
  leftOut: [REPLICAS_COLLECTION, IDEMPOTENCY_COLLECTION, LISTENINGS],
  owners: [
    {
      collection: 'dataTables',
      parts: [{ collection: 'dataTableRows', ownerField: 'tableId' }],
      // A table reserves row ids before the rows are stored, and must not assign them again.
      form: 'after',
    },
    {
      collection: 'fileAreas',
      parts: [{ collection: 'fileChunks', ownerField: 'workflowId' }],
      // Chunks are deleted as soon as no file of the area has them.
      form: 'same',
    },
  ],
  last: ['versions'],
  masterKeyFields: {},
};
