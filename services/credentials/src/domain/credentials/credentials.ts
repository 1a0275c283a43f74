import { CREDENTIAL_TYPES, withKeptSecrets } from '@weft/node-catalogue';
import type { Principal } from '@weft/service-kit/auth';
import {
  Forbidden,
  InvalidRequest,
  ChangedSinceRead,
  etagOfParts,
  holdsFor,
  isConditional,
  type EtagCondition,
} from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { JsonObject } from '@weft/service-kit/json';
import { ownedBy, readPage, type OwnedPageParams, type Page } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { CredentialBusy, CredentialInUse, CredentialNotFound, CredentialUnreadable } from '../errors';
import type { CheckDestination } from '../ownership/inheritance';
import { loginStateAfter, loginStateOf, TOKEN_FIELD } from '../oauth2/login-state';
import type { Sealer } from '../sealing';
import { checkName, readData, withoutFiles, type CheckFields, type CheckType } from './check-credential';
import { findCredential, type Credential, type CredentialStore, type StoredCredential } from '../ownership/credential';
import { granteeOf, grantsUnder, holdingGrants } from './grant';
import { isReached, withinReach, type Reach, type ReachedCredentials } from './reach';

/** Fields of a new credential. */
export interface NewCredential {
  readonly name: string;
  readonly type: string;
  /** JSON object. */
  readonly dataJson: string;
  /** Owner: a project or user; undefined: the creating user. */
  readonly projectId?: string | undefined;
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

/** Fields to update; undefined ones are unchanged. */
export interface CredentialUpdate {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /**
   * JSON object that replaces the data. Omitted secret fields keep their values, unless the user only manages
   * credentials of projects.
   */
  readonly dataJson: string | undefined;
}

/** Workflows whose current version uses a credential. */
export interface NamingWorkflows {
  /** Some of those visible to the user. */
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  /** True if there are others. */
  readonly hasHidden: boolean;
}

/**
 * Lists workflows that use a credential. Workflows of closed projects that neither own it nor are granted it do not
 * count, because they cannot use it.
 */
export type ListCredentialWorkflows = (
  credential: Pick<Credential, 'id' | 'ownerId'> & { readonly grantedTo: readonly string[] },
  user: Principal,
) => Promise<NamingWorkflows>;

export interface CredentialPorts {
  readonly credentials: ReachedCredentials;
  readonly checkDestination: CheckDestination;
  readonly sealer: Sealer;
  readonly checkType: CheckType;
  readonly checkFields: CheckFields;
  readonly listCredentialWorkflows: ListCredentialWorkflows;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Management of the credentials within a user's reach. No response contains their data. */
export interface CredentialUseCases {
  /** Seals and stores a credential. @throws InvalidRequest, ProjectNotFound, Forbidden */
  readonly createCredential: (fields: NewCredential) => Promise<StoredCredential>;
  /** @throws CredentialNotFound */
  readonly getCredential: (id: string) => Promise<StoredCredential>;
  /** @throws InvalidRequest; Forbidden for a project beyond the reach */
  readonly listCredentials: (params: OwnedPageParams) => Promise<Page<Credential>>;
  /** @throws CredentialNotFound, CredentialBusy, CredentialUnreadable, InvalidRequest, ChangedSinceRead */
  readonly updateCredential: (
    id: string,
    update: CredentialUpdate,
    condition?: EtagCondition,
  ) => Promise<StoredCredential>;
  /** Lists workflows that use a credential. @throws CredentialNotFound, Unavailable */
  readonly listCredentialUses: (id: string) => Promise<NamingWorkflows>;
  /**
   * Deletes a credential that no workflow uses or, if forced, any credential. A workflow that is saved concurrently or
   * imported later may still refer to it.
   * @throws CredentialNotFound, CredentialInUse, Unavailable, ChangedSinceRead
   */
  readonly deleteCredential: (id: string, isForced: boolean, condition?: EtagCondition) => Promise<void>;
}

const MAX_TRIES = 3;

/** The stored data; empty if it can no longer be read, so that it can be entered again. */
const readableData = (sealer: Sealer, old: StoredCredential): JsonObject => {
  try {
    return readData(sealer.open(old, old.sealed));
  } catch (error) {
    if (error instanceof CredentialUnreadable) return {};
    throw error;
  }
};

/** The managing user, and the reach. */
interface Managing {
  readonly user: Principal;
  readonly reach: Reach;
}

/**
 * The data after an update. Secrets are kept only for the type they were entered for, and only for users who manage
 * every credential: a user who keeps another user's secret could change where it is sent.
 */
const updatedData = (
  { sealer, checkFields }: CredentialPorts,
  { projectIds }: Reach,
  old: StoredCredential,
  { type = old.type, dataJson }: CredentialUpdate,
): Promise<JsonObject> => {
  const keepsSecrets = projectIds === undefined;
  if (dataJson === undefined) {
    if (keepsSecrets) return checkFields(type, readData(sealer.open(old, old.sealed)));
    throw new InvalidRequest('The credential is invalid.', [{ field: 'data', message: 'must come with a new type.' }]);
  }
  const update = readData(dataJson);
  if (type !== old.type || !keepsSecrets) return checkFields(type, update);
  return checkFields(type, withKeptSecrets(CREDENTIAL_TYPES.get(type), update, readableData(sealer, old)));
};

/** The seal covers the type: a new type means sealing the data again, and it must be valid for that type. */
const reseal = async (
  ports: CredentialPorts,
  reach: Reach,
  old: StoredCredential,
  update: CredentialUpdate,
): Promise<Pick<StoredCredential, 'sealed' | 'oauth2'>> => {
  const { type = old.type, dataJson } = update;
  if (dataJson === undefined && type === old.type)
    return { sealed: old.sealed, ...(old.oauth2 === undefined ? {} : { oauth2: old.oauth2 }) };
  const data = await updatedData(ports, reach, old, update);
  const keepsTokens = type === old.type && dataJson !== undefined && !Object.hasOwn(readData(dataJson), TOKEN_FIELD);
  const oauth2 = loginStateAfter(old.oauth2, { type, data, keepsTokens });
  return {
    sealed: ports.sealer.seal({ ...old, type }, JSON.stringify(data)),
    ...(oauth2 === undefined ? {} : { oauth2 }),
  };
};

/** The entity tag of a credential, without its quotes. Refreshes of tokens do not change it. */
export const credentialEtag = ({ id, ownerId, revision, updatedAt, oauth2 }: StoredCredential): string =>
  etagOfParts(id, ownerId, revision - (oauth2?.refreshes ?? 0), updatedAt.getTime());

const changedSince = (credentialId: string): ChangedSinceRead => new ChangedSinceRead('credential', { credentialId });

/** @throws ChangedSinceRead */
const checkCondition = (seen: StoredCredential, condition: EtagCondition): void => {
  if (!holdsFor(condition, credentialEtag(seen))) throw changedSince(seen.id);
};

/** Why a removal found nothing. */
const goneOrChanged = async (credentials: Pick<CredentialStore, 'findById'>, id: string): Promise<Error> =>
  (await credentials.findById(id)) === undefined ? new CredentialNotFound(id) : changedSince(id);

/** @returns undefined if another update was stored meanwhile */
const tryUpdate = async (
  ports: CredentialPorts,
  reach: Reach,
  id: string,
  update: CredentialUpdate,
  condition: EtagCondition,
): Promise<StoredCredential | undefined> => {
  const { credentials, checkType, clock } = ports;
  const old = await credentials.findById(id);
  if (old === undefined) throw new CredentialNotFound(id);
  checkCondition(old, condition);
  // A type that was accepted earlier may stay.
  if (update.type !== undefined && update.type !== old.type) checkType(update.type);
  const { oauth2: _former, ...kept } = old;
  const changed: StoredCredential = {
    ...kept,
    name: update.name ?? old.name,
    type: update.type ?? old.type,
    ...(await reseal(ports, reach, old, update)),
    updatedAt: clock(),
    revision: old.revision + 1,
  };
  const updated = { ...changed, grants: grantsUnder(ports.sealer, old, changed) };
  return (await credentials.replace(updated, old.revision)) ? updated : undefined;
};

/** Chooses the owner of a new credential. @throws ProjectNotFound, Forbidden */
const chooseOwner = async (
  { checkDestination }: CredentialPorts,
  { user, reach }: Managing,
  projectId = user.userId,
): Promise<string> => {
  if (projectId !== user.userId) await checkDestination(projectId);
  if (isReached(reach, projectId)) return projectId;
  throw new Forbidden(
    'Admins of projects can only create credentials in these projects: set projectId to one of them.',
    {
      projectId: projectId.slice(0, 100),
    },
  );
};

/** Creates the use cases for a user who manages the credentials within a reach. */
export const credentialUseCases = (given: CredentialPorts, managing: Managing): CredentialUseCases => {
  const { reach } = managing;
  const { userId } = managing.user;
  const credentials = withinReach(given.credentials, reach);
  const checkFields = reach.projectIds === undefined ? given.checkFields : withoutFiles(given.checkFields);
  const ports = { ...given, credentials, checkFields };
  const { sealer, checkType, recordAudit, newId, clock } = ports;
  const find = (id: string): Promise<StoredCredential> => findCredential(credentials, id);
  const usesOf = (credential: StoredCredential): Promise<NamingWorkflows> => {
    const { id, ownerId } = credential;
    const grantedTo = holdingGrants(sealer, credential).map((grant) => granteeOf(grant).id);
    return ports.listCredentialWorkflows({ id, ownerId, grantedTo }, managing.user);
  };
  return {
    createCredential: async ({ name, type, dataJson, projectId, id = newId() }) => {
      checkName(name);
      checkType(type);
      const ownerId = await chooseOwner(ports, managing, projectId);
      const data = await checkFields(type, readData(dataJson));
      const now = clock();
      const oauth2 = loginStateOf(type, data);
      const credential = {
        ...{ id, name, type, ownerId, createdAt: now, updatedAt: now },
        ...(oauth2 === undefined ? {} : { oauth2 }),
      };
      const sealed = sealer.seal(credential, JSON.stringify(data));
      const stored: StoredCredential = { ...credential, sealed, grants: [], revision: 1 };
      await credentials.insert(stored);
      const inProject = ownerId === userId ? {} : { projectId: ownerId };
      await recordAudit({
        action: 'credential.create',
        actor: userId,
        about: { credentialId: id, type, ...inProject },
      });
      return stored;
    },
    getCredential: find,
    listCredentials: async ({ projectId, ...page }) => {
      const source = ownedBy(projectId, {
        read: (afterId, count, ownerId) =>
          credentials.page(afterId, count, ownerId === undefined ? undefined : [ownerId]),
        idOf: ({ id }: Credential) => id,
      });
      if (projectId !== undefined && !isReached(reach, projectId))
        throw new Forbidden('You may list the credentials of projects that you are an admin of.', { projectId });
      return readPage(source, page);
    },
    updateCredential: async (id, update, condition) => {
      if (!isUuid(id)) throw new CredentialNotFound(id);
      if (update.name !== undefined) checkName(update.name);
      for (let tried = 0; tried < MAX_TRIES; tried += 1) {
        const updated = await tryUpdate(ports, reach, id, update, condition);
        if (updated === undefined) continue;
        const about = { credentialId: id, type: updated.type };
        await recordAudit({ action: 'credential.update', actor: userId, about });
        return updated;
      }
      throw new CredentialBusy(id);
    },
    listCredentialUses: async (id) => usesOf(await find(id)),
    deleteCredential: async (id, isForced, condition) => {
      const seen = await find(id);
      checkCondition(seen, condition);
      if (!isForced) {
        const naming = await usesOf(seen);
        if (naming.workflows.length > 0 || naming.hasHidden)
          throw new CredentialInUse(id, naming.workflows, naming.hasHidden);
      }
      if (!(await credentials.remove(seen, isConditional(condition)))) throw await goneOrChanged(credentials, id);
      await recordAudit({ action: 'credential.delete', actor: userId, about: { credentialId: id } });
    },
  };
};
