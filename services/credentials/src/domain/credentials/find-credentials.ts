import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { CredentialUnreadable } from '../errors';
import type { CredentialStore, StoredCredential } from '../ownership/credential';
import type { FindOwner, ResourceOwner } from '../ownership/owners';
import { granteeKey, type MayUse } from './grant';

/** A credential as a node names it. */
export interface CredentialReference {
  readonly type: string;
  /** May be the id of another instance, or empty. */
  readonly id: string;
  /** May be empty. */
  readonly name: string;
}

/**
 * The credential of a reference: the one with the id, or else the only one with the type and the name that the owner
 * owns or was granted.
 */
export type FoundCredential =
  | { readonly match: 'id' | 'name'; readonly credentialId: string; readonly isUsable: boolean }
  | { readonly match: 'ambiguous' | 'none' };

/**
 * Finds the credentials that the nodes of a workflow name.
 * @param ownerId the workflow's owner, whose permissions count
 * @returns one outcome for each reference, in order
 * @throws InvalidRequest for too many references
 */
export type FindCredentials = (
  ownerId: string,
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
const isUsable = (mayUse: MayUse, owner: ResourceOwner | undefined, credential: StoredCredential): boolean => {
  try {
    return mayUse({ owner, workflowId: '' }, credential);
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
  return async function findCredentials(ownerId, references) {
    if (references.length > MAX_REFERENCES)
      throw new InvalidRequest('There are too many references.', [
        { field: 'references', message: `must be at most ${MAX_REFERENCES}.` },
      ]);
    const [owner, byId] = await Promise.all([findOwner(ownerId), findByIds(references)]);
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
      const found = ofId(reference);
      if (found !== undefined) return { match: 'id', credentialId: found.id, isUsable: isUsable(mayUse, owner, found) };
      if (reference.name === '') return { match: 'none' };
      if (named === undefined) return { match: 'ambiguous' };
      const [only, ...others] = named.filter(
        (one) => one.name === reference.name && one.type === reference.type && isUsable(mayUse, owner, one),
      );
      if (only === undefined) return { match: 'none' };
      return others.length > 0 ? { match: 'ambiguous' } : { match: 'name', credentialId: only.id, isUsable: true };
    });
  };
};
