import { isUuid } from '@weft/service-kit/ids';
import { CredentialNotFound } from '../errors';
import type { Credential, CredentialStore } from './credential';

/** One credential without its data. @throws CredentialNotFound */
export type GetCredential = (id: string) => Promise<Credential>;

/** Makes the use case. */
export const createGetCredential =
  ({ findById }: Pick<CredentialStore, 'findById'>): GetCredential =>
  async (id) => {
    const found = isUuid(id) ? await findById(id) : undefined;
    if (found === undefined) throw new CredentialNotFound(id);
    return found;
  };
