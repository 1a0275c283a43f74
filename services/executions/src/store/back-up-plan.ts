import type { BackUpPlan } from '@weft/service-kit/back-up';
import { IDEMPOTENCY_COLLECTION } from '@weft/service-kit/idempotency';
import { REPLICAS_COLLECTION } from '@weft/service-kit/replicas';

/** Backup plan of this database. */
export const BACK_UP_PLAN: BackUpPlan = {
  // Progress of restoring one stream of NATS: without it, a restored database queues everything again.
  leftOut: [REPLICAS_COLLECTION, IDEMPOTENCY_COLLECTION, 'queueRestores'],
  owners: [
    {
      collection: 'executions',
      parts: [
        { collection: 'executionSegments', ownerField: 'executionId' },
        { collection: 'executionChunks', ownerField: 'executionId' },
      ],
      // Data is stored before its execution references it, and deleted only with it: on request after it was marked, or
      // when its time is over, which every form of it contains.
      form: 'before',
      deletionField: 'deletedAt',
    },
  ],
  last: [],
  masterKeyFields: {},
};
