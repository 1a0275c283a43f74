import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import type { FindReferencedVersions } from '../domain/find-referenced-versions';

/** FindReferencedVersions. */
export const findReferencedVersionsHandler =
  (find: FindReferencedVersions): Handlers<typeof ExecutionServiceService>['findReferencedVersions'] =>
  async ({ versions }) => ({ versionIds: [...(await find(versions))] });
