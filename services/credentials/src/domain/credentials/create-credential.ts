import type { Principal } from '@weft/service-kit/auth';
import type { RecordAudit } from '../audit/audit';
import type { Sealer } from '../sealing';
import { checkData, checkName, checkType } from './check-credential';
import type { Credential, CredentialStore } from './credential';

/** What a new credential is made of. */
export interface NewCredential {
  readonly name: string;
  readonly type: string;
  /** JSON object. */
  readonly dataJson: string;
}

/** What the changes of credentials need. */
export interface ChangePorts {
  readonly credentials: CredentialStore;
  readonly sealer: Sealer;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Seals and stores a credential that belongs to its maker. @throws InvalidRequest */
export type CreateCredential = (maker: Principal, given: NewCredential) => Promise<Credential>;

/** Makes the use case. */
export const createCreateCredential =
  ({ credentials, sealer, recordAudit, newId, clock }: ChangePorts): CreateCredential =>
  async (maker, { name, type, dataJson }) => {
    checkName(name);
    checkType(type);
    const data = checkData(type, dataJson);
    const id = newId();
    const now = clock();
    const credential = { id, name, type, ownerId: maker.userId, createdAt: now, updatedAt: now };
    await credentials.insert({ ...credential, sealed: sealer.seal({ id, type }, JSON.stringify(data)), revision: 1 });
    await recordAudit({ action: 'credential.create', actor: maker.userId, about: { credentialId: id, type } });
    return credential;
  };
