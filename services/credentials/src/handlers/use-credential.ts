import type { CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { UseCredential } from '../domain/credentials/use-credential';

/** UseCredential. */
export const useCredentialHandler =
  (useCredential: UseCredential): Handler<typeof CredentialServiceService.useCredential> =>
  async (request, { service = 'unknown' }) => ({ dataJson: await useCredential(service, request) });
