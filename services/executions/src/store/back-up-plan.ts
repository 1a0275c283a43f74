import type { BackUpPlan } from '@weft/service-kit/back-up';
import { REPLICAS_COLLECTION } from '@weft/service-kit/replicas';

/** How this database is copied. */
export const BACK_UP_PLAN: BackUpPlan = {
  // Progress of restoring one stream of NATS: without it, a restored database queues again all that is queued in it.
  leftOut: [REPLICAS_COLLECTION, 'queueRestores'],
  owners: [
    {
      collection: 'executions',
      parts: [
        { collection: 'executionSegments', ownerField: 'executionId' },
        { collection: 'executionChunks', ownerField: 'executionId' },
      ],
      // Data are stored before their execution names them, and deleted with it only: on demand after it was marked, and
      // when its time is over, which every form of it says.
      form: 'before',
      deletionField: 'deletedAt',
    },
  ],
  last: [],
  masterKeyFields: {},
};
