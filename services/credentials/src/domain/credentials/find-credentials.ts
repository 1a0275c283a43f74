import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { CredentialUnreadable } from '../errors';
import type { CredentialStore, StoredCredential } from '../ownership/credential';
import type { FindOwner, ResourceOwner } from '../ownership/owners';
import { granteeKey, refusalOf, type MayUse, type UsingWorkflow } from './grant';

/** A credential as a node names it. */
export interface CredentialReference {
  readonly type: string;
  /** May be the id of another instance, or empty. */
  readonly id: string;
  /** May be empty. */
  readonly name: string;
}

/** The workflow whose nodes name credentials. */
export interface NamingWorkflow {
  /** Its owner, whose permissions count. */
  readonly ownerId: string;
  /** Its grants count as well; empty for a workflow that is not stored yet. */
  readonly workflowId: string;
}

/**
 * The credential of a reference: the one with the id, or else the only one with the type and the name that the owner
 * owns or was granted.
 */
export type FoundCredential = (
  | { readonly match: 'id' | 'name'; readonly credentialId: string; readonly isUsable: boolean }
  | { readonly match: 'ambiguous' | 'none' }
) & {
  /**
   * Why runs may not use the credential whose id the reference keeps, whatever its type; absent: they may, or there is
   * none. Names the credential and its owner, and says how to grant it.
   */
  readonly refusal?: string;
};

/**
 * Finds the credentials that the nodes of a workflow name.
 * @returns one outcome for each reference, in order
 * @throws InvalidRequest for too many references
 */
export type FindCredentials = (
  workflow: NamingWorkflow,
  references: readonly CredentialReference[],
) => Promise<readonly FoundCredential[]>;

export interface FindPorts {
  readonly credentials: Pick<CredentialStore, 'findById' | 'findNamed'>;
  readonly findOwner: FindOwner;
  readonly mayUse: MayUse;
}

const MAX_REFERENCES = 500;

/** Maximum credentials with the requested names; with more of them no name counts as unique. */
const MAX_NAMED = 2_000;

/** An unreadable credential counts as usable: its use reports what is wrong with it. */
const isUsable = (mayUse: MayUse, using: UsingWorkflow, credential: StoredCredential): boolean => {
  try {
    return mayUse(using, credential);
  } catch (error) {
    if (error instanceof CredentialUnreadable) return true;
    throw error;
  }
};

export const createFindCredentials = ({ credentials, findOwner, mayUse }: FindPorts): FindCredentials => {
  const findByIds = async (references: readonly CredentialReference[]): Promise<Map<string, StoredCredential>> => {
    const ids = [...new Set(references.map(({ id }) => id))].filter(isUuid);
    const found = await Promise.all(ids.map((id) => credentials.findById(id)));
    return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.id, one]])));
  };
  /** Messages for those that runs of the workflow may not use, or whose grants cannot be read, by id. */
  const refusalsAmong = async (
    found: Iterable<StoredCredential>,
    using: UsingWorkflow,
  ): Promise<ReadonlyMap<string, string>> => {
    const refusals = new Map<string, string>();
    for (const credential of found)
      try {
        if (mayUse(using, credential)) continue;
        refusals.set(credential.id, refusalOf(using, credential, await findOwner(credential.ownerId)));
      } catch (error) {
        if (!(error instanceof CredentialUnreadable)) throw error;
        refusals.set(credential.id, error.message);
      }
    return refusals;
  };
  /** Undefined if there are too many to compare. */
  const findByNames = async (
    ownerId: string,
    owner: ResourceOwner | undefined,
    references: readonly CredentialReference[],
  ): Promise<readonly StoredCredential[] | undefined> => {
    if (references.length === 0) return [];
    const names = [...new Set(references.map(({ name }) => name))];
    const types = [...new Set(references.map(({ type }) => type))];
    const grantee = granteeKey({ kind: owner?.isProject === false ? 'user' : 'project', id: ownerId });
    const found = await credentials.findNamed({ ownerId, grantee }, { names, types }, MAX_NAMED);
    return found.length < MAX_NAMED ? found : undefined;
  };
  return async function findCredentials({ ownerId, workflowId }, references) {
    if (references.length > MAX_REFERENCES)
      throw new InvalidRequest('There are too many references.', [
        { field: 'references', message: `must be at most ${MAX_REFERENCES}.` },
      ]);
    const [owner, byId] = await Promise.all([findOwner(ownerId), findByIds(references)]);
    const using = { owner, workflowId };
    const refusals = await refusalsAmong(byId.values(), using);
    const ofId = ({ id, type }: CredentialReference): StoredCredential | undefined => {
      const found = byId.get(id);
      return found?.type === type ? found : undefined;
    };
    const named = await findByNames(
      ownerId,
      owner,
      references.filter((reference) => reference.name !== '' && ofId(reference) === undefined),
    );
    return references.map((reference): FoundCredential => {
      const refusal = refusals.get(reference.id);
      const kept = refusal === undefined ? {} : { refusal };
      const found = ofId(reference);
      if (found !== undefined)
        return { match: 'id', credentialId: found.id, isUsable: isUsable(mayUse, using, found), ...kept };
      if (reference.name === '') return { match: 'none', ...kept };
      if (named === undefined) return { match: 'ambiguous', ...kept };
      const [only, ...others] = named.filter(
        (one) => one.name === reference.name && one.type === reference.type && isUsable(mayUse, using, one),
      );
      if (only === undefined) return { match: 'none', ...kept };
      // The id of the only one replaces the reference's own.
      return others.length > 0
        ? { match: 'ambiguous', ...kept }
        : { match: 'name', credentialId: only.id, isUsable: true };
    });
  };
};
