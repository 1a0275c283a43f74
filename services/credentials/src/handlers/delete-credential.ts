import type { CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { DeleteCredential } from '../domain/credentials/delete-credential';
import { principalOf } from './principal';

/** DeleteCredential. */
export const deleteCredentialHandler =
  (deleteCredential: DeleteCredential): Handler<typeof CredentialServiceService.deleteCredential> =>
  async ({ credentialId }, context) => {
    await deleteCredential(principalOf(context), credentialId);
    return {};
  };
