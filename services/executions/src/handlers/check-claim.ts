import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { CheckClaim } from '../domain/check-claim';

/** CheckClaim. */
export const checkClaimHandler =
  (checkClaim: CheckClaim): Handlers<typeof ExecutionServiceService>['checkClaim'] =>
  async (question) =>
    checkClaim(question);
