import { CREDENTIAL_TYPES, withKeptSecrets } from '@weft/node-catalogue';
import type { Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import type { JsonObject } from '@weft/service-kit/json';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { CredentialBusy, CredentialInUse, CredentialNotFound, CredentialUnreadable } from '../errors';
import type { Sealer } from '../sealing';
import { checkName, readData, type CheckFields, type CheckType } from './check-credential';
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
  /** JSON object that replaces the data, but for secret fields that it omits: they keep their values. */
  readonly dataJson: string | undefined;
}

/** Some of the workflows whose current version names a credential. */
export type ListCredentialWorkflows = (
  credentialId: string,
) => Promise<readonly { readonly id: string; readonly name: string }[]>;

/** Dependencies of the use cases. */
export interface CredentialPorts {
  readonly credentials: CredentialStore;
  readonly sealer: Sealer;
  readonly checkType: CheckType;
  readonly checkFields: CheckFields;
  readonly listCredentialWorkflows: ListCredentialWorkflows;
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
  /**
   * Deletes a credential that no workflow names, or, if forced, any. A workflow that is saved at the same moment may
   * name it nevertheless, as one may that is imported later.
   * @throws CredentialNotFound, CredentialInUse, Unavailable
   */
  readonly deleteCredential: (user: Principal, id: string, isForced: boolean) => Promise<void>;
}

const MAX_TRIES = 3;

/** The stored data; nothing if it cannot be read any more, so that it can be entered anew. */
const readableData = (sealer: Sealer, old: StoredCredential): JsonObject => {
  try {
    return readData(sealer.open(old, old.sealed));
  } catch (error) {
    if (error instanceof CredentialUnreadable) return {};
    throw error;
  }
};

/** The data after an update. Secrets are kept for the type that they were entered for alone. */
const updatedData = (
  { sealer, checkFields }: CredentialPorts,
  old: StoredCredential,
  { type = old.type, dataJson }: CredentialUpdate,
): Promise<JsonObject> => {
  if (dataJson === undefined) return checkFields(type, readData(sealer.open(old, old.sealed)));
  const update = readData(dataJson);
  if (type !== old.type) return checkFields(type, update);
  return checkFields(type, withKeptSecrets(CREDENTIAL_TYPES.get(type), update, readableData(sealer, old)));
};

/** The seal covers the type: a new type seals the data again, which must be valid for it. */
const reseal = async (
  ports: CredentialPorts,
  old: StoredCredential,
  update: CredentialUpdate,
): Promise<StoredCredential['sealed']> => {
  const { type = old.type, dataJson } = update;
  if (dataJson === undefined && type === old.type) return old.sealed;
  return ports.sealer.seal({ ...old, type }, JSON.stringify(await updatedData(ports, old, update)));
};

/** @returns undefined if another update was stored meanwhile. */
const tryUpdate = async (
  ports: CredentialPorts,
  id: string,
  update: CredentialUpdate,
): Promise<Credential | undefined> => {
  const { credentials, checkType, clock } = ports;
  const old = await credentials.findById(id);
  if (old === undefined) throw new CredentialNotFound(id);
  // One that was accepted before may stay.
  if (update.type !== undefined && update.type !== old.type) checkType(update.type);
  const updated: StoredCredential = {
    ...old,
    name: update.name ?? old.name,
    type: update.type ?? old.type,
    sealed: await reseal(ports, old, update),
    updatedAt: clock(),
    revision: old.revision + 1,
  };
  return (await credentials.replace(updated, old.revision)) ? updated : undefined;
};

/** The use cases over their ports. */
export const credentialUseCases = (ports: CredentialPorts): CredentialUseCases => {
  const { credentials, sealer, checkType, checkFields, recordAudit, newId, clock } = ports;
  return {
    createCredential: async ({ userId }, { name, type, dataJson }) => {
      checkName(name);
      checkType(type);
      const data = await checkFields(type, readData(dataJson));
      const id = newId();
      const now = clock();
      const credential = { id, name, type, ownerId: userId, createdAt: now, updatedAt: now };
      await credentials.insert({ ...credential, sealed: sealer.seal(credential, JSON.stringify(data)), revision: 1 });
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
      for (let tried = 0; tried < MAX_TRIES; tried += 1) {
        const updated = await tryUpdate(ports, id, update);
        if (updated === undefined) continue;
        const about = { credentialId: id, type: updated.type };
        await recordAudit({ action: 'credential.update', actor: userId, about });
        return updated;
      }
      throw new CredentialBusy(id);
    },
    deleteCredential: async ({ userId }, id, isForced) => {
      if (!isUuid(id) || (await credentials.findById(id)) === undefined) throw new CredentialNotFound(id);
      const workflows = isForced ? [] : await ports.listCredentialWorkflows(id);
      if (workflows.length > 0) throw new CredentialInUse(id, workflows);
      if (!(await credentials.remove(id))) throw new CredentialNotFound(id);
      await recordAudit({ action: 'credential.delete', actor: userId, about: { credentialId: id } });
    },
  };
};
