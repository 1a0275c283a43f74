import type { CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { CreateCredential } from '../domain/credentials/create-credential';
import { toCredentialMessage } from './credential-message';
import { principalOf } from './principal';

/** CreateCredential. */
export const createCredentialHandler =
  (createCredential: CreateCredential): Handler<typeof CredentialServiceService.createCredential> =>
  async (request, context) => ({
    credential: toCredentialMessage(await createCredential(principalOf(context), request)),
  });
