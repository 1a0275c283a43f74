import type { Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import { CredentialNotFound } from '../errors';
import type { ChangePorts } from './create-credential';

/** Deletes a credential for good. @throws CredentialNotFound */
export type DeleteCredential = (deleter: Principal, id: string) => Promise<void>;

/** Makes the use case. */
export const createDeleteCredential =
  ({ credentials, recordAudit }: Pick<ChangePorts, 'credentials' | 'recordAudit'>): DeleteCredential =>
  async (deleter, id) => {
    if (!isUuid(id) || !(await credentials.remove(id))) throw new CredentialNotFound(id);
    await recordAudit({ action: 'credential.delete', actor: deleter.userId, about: { credentialId: id } });
  };
