import type { BackUpPlan } from '@weft/service-kit/back-up';
import { REPLICAS_COLLECTION } from '@weft/service-kit/replicas';

/** How this database is copied. What is sealed is copied as it is: a back-up holds no secret in clear. */
export const BACK_UP_PLAN: BackUpPlan = {
  // Sessions that ended since the back-up would be open again.
  leftOut: [REPLICAS_COLLECTION, 'sessions', 'rateWindows', 'signInWindows'],
  owners: [],
  last: ['users'],
  masterKeyFields: { credentials: 'sealed.kid', apiKeys: 'kid' },
};
