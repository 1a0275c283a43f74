import type { BackUpPlan } from '@weft/service-kit/back-up';
import { IDEMPOTENCY_COLLECTION } from '@weft/service-kit/idempotency';
import { REPLICAS_COLLECTION } from '@weft/service-kit/replicas';

/** How this database is copied. Sealed values are copied as they are: a backup holds no secret in clear text. */
export const BACK_UP_PLAN: BackUpPlan = {
  // Restored, sessions that have ended since the backup would be open again.
  leftOut: [REPLICAS_COLLECTION, 'sessions', 'rateWindows', 'signInWindows', IDEMPOTENCY_COLLECTION],
  owners: [],
  last: ['users'],
  masterKeyFields: { credentials: 'sealed.kid', apiKeys: 'kid' },
};
