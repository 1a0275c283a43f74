import type { BackUpPlan } from '@weft/service-kit/back-up';
import { REPLICAS_COLLECTION } from '@weft/service-kit/replicas';

/** How this database is copied. Versions outlive what names them by a day at least, so they only have to come last. */
export const BACK_UP_PLAN: BackUpPlan = {
  leftOut: [REPLICAS_COLLECTION],
  owners: [
    {
      collection: 'dataTables',
      parts: [{ collection: 'dataTableRows', ownerField: 'tableId' }],
      // A table has taken the ids of rows before they are stored, and must not give them out again.
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
