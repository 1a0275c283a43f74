import type { CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { GetCredential } from '../domain/credentials/get-credential';
import { toCredentialMessage } from './credential-message';

/** GetCredential. */
export const getCredentialHandler =
  (getCredential: GetCredential): Handler<typeof CredentialServiceService.getCredential> =>
  async ({ credentialId }) => ({ credential: toCredentialMessage(await getCredential(credentialId)) });
