import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { FindReferredVersions } from '../domain/find-referred-versions';

/** FindReferredVersions. */
export const findReferredVersionsHandler =
  (find: FindReferredVersions): Handlers<typeof ExecutionServiceService>['findReferredVersions'] =>
  async ({ versions }) => ({ versionIds: [...(await find(versions))] });
