import type { CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { UpdateCredential } from '../domain/credentials/update-credential';
import { toCredentialMessage } from './credential-message';
import { principalOf } from './principal';

/** UpdateCredential. */
export const updateCredentialHandler =
  (updateCredential: UpdateCredential): Handler<typeof CredentialServiceService.updateCredential> =>
  async ({ credentialId, name, type, dataJson }, context) => ({
    credential: toCredentialMessage(
      await updateCredential(principalOf(context), credentialId, { name, type, dataJson }),
    ),
  });
