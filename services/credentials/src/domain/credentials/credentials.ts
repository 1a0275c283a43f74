import type { Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { CredentialBusy, CredentialNotFound } from '../errors';
import type { Sealer } from '../sealing';
import { checkData, checkName, checkType } from './check-credential';
import type { Credential, CredentialStore, StoredCredential } from './credential';

/** Fields of a new credential. */
export interface NewCredential {
  readonly name: string;
  readonly type: string;
  /** JSON object. */
  readonly dataJson: string;
}

/** Fields to update; undefined ones are unchanged. */
export interface CredentialUpdate {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** JSON object that replaces the data as a whole. */
  readonly dataJson: string | undefined;
}

/** Dependencies of the use cases. */
export interface CredentialPorts {
  readonly credentials: CredentialStore;
  readonly sealer: Sealer;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Management of credentials. No answer holds their data. */
export interface CredentialUseCases {
  /** Seals and stores a credential that belongs to the user. @throws InvalidRequest */
  readonly createCredential: (user: Principal, fields: NewCredential) => Promise<Credential>;
  /** @throws CredentialNotFound */
  readonly getCredential: (id: string) => Promise<Credential>;
  /** @throws InvalidRequest */
  readonly listCredentials: (params: PageParams) => Promise<Page<Credential>>;
  /** @throws CredentialNotFound, CredentialBusy, CredentialUnreadable, InvalidRequest */
  readonly updateCredential: (user: Principal, id: string, update: CredentialUpdate) => Promise<Credential>;
  /** @throws CredentialNotFound */
  readonly deleteCredential: (user: Principal, id: string) => Promise<void>;
}

const MAX_TRIES = 3;

/** The seal covers the type: a new type seals the data again, which must be valid for it. */
const reseal = (
  sealer: Sealer,
  { id, type: oldType, sealed }: StoredCredential,
  { type = oldType, dataJson }: CredentialUpdate,
): StoredCredential['sealed'] => {
  if (dataJson === undefined && type === oldType) return sealed;
  const data = checkData(type, dataJson ?? sealer.open({ id, type: oldType }, sealed));
  return sealer.seal({ id, type }, JSON.stringify(data));
};

/** @returns undefined if another update was stored meanwhile. */
const tryUpdate = async (
  { credentials, sealer, clock }: CredentialPorts,
  id: string,
  update: CredentialUpdate,
): Promise<Credential | undefined> => {
  const old = await credentials.findById(id);
  if (old === undefined) throw new CredentialNotFound(id);
  const updated: StoredCredential = {
    ...old,
    name: update.name ?? old.name,
    type: update.type ?? old.type,
    sealed: reseal(sealer, old, update),
    updatedAt: clock(),
    revision: old.revision + 1,
  };
  return (await credentials.replace(updated, old.revision)) ? updated : undefined;
};

/** The use cases over their ports. */
export const credentialUseCases = (ports: CredentialPorts): CredentialUseCases => {
  const { credentials, sealer, recordAudit, newId, clock } = ports;
  return {
    createCredential: async ({ userId }, { name, type, dataJson }) => {
      checkName(name);
      checkType(type);
      const data = checkData(type, dataJson);
      const id = newId();
      const now = clock();
      const credential = { id, name, type, ownerId: userId, createdAt: now, updatedAt: now };
      await credentials.insert({ ...credential, sealed: sealer.seal({ id, type }, JSON.stringify(data)), revision: 1 });
      await recordAudit({ action: 'credential.create', actor: userId, about: { credentialId: id, type } });
      return credential;
    },
    getCredential: async (id) => {
      const found = isUuid(id) ? await credentials.findById(id) : undefined;
      if (found === undefined) throw new CredentialNotFound(id);
      return found;
    },
    listCredentials: (params) => readPage({ read: credentials.page, idOf: ({ id }) => id }, params),
    updateCredential: async ({ userId }, id, update) => {
      if (!isUuid(id)) throw new CredentialNotFound(id);
      if (update.name !== undefined) checkName(update.name);
      if (update.type !== undefined) checkType(update.type);
      for (let tried = 0; tried < MAX_TRIES; tried += 1) {
        const updated = await tryUpdate(ports, id, update);
        if (updated === undefined) continue;
        const about = { credentialId: id, type: updated.type };
        await recordAudit({ action: 'credential.update', actor: userId, about });
        return updated;
      }
      throw new CredentialBusy(id);
    },
    deleteCredential: async ({ userId }, id) => {
      if (!isUuid(id) || !(await credentials.remove(id))) throw new CredentialNotFound(id);
      await recordAudit({ action: 'credential.delete', actor: userId, about: { credentialId: id } });
    },
  };
};
