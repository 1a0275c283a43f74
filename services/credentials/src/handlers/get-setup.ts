import type { SessionServiceService } from '@weft/proto/identity';
import type { Handler } from '@weft/service-kit/grpc';
import type { IsSetupOpen } from '../domain/set-up/get-setup';

/** GetSetup. */
export const getSetupHandler =
  (isSetupOpen: IsSetupOpen): Handler<typeof SessionServiceService.getSetup> =>
  async () => ({ open: await isSetupOpen() });
