import type { CredentialServiceService } from '@weft/proto/credentials';
import type { Handler } from '@weft/service-kit/grpc';
import type { ListCredentials } from '../domain/credentials/list-credentials';
import { toCredentialMessage } from './credential-message';

/** ListCredentials. */
export const listCredentialsHandler =
  (listCredentials: ListCredentials): Handler<typeof CredentialServiceService.listCredentials> =>
  async (request) => {
    const { items, nextCursor } = await listCredentials(request);
    return { credentials: items.map(toCredentialMessage), nextCursor };
  };
