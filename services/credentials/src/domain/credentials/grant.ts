import { CredentialUnreadable } from '../errors';
import type { ResourceOwner } from '../ownership/owners';
import { isSameSecret } from '../same-secret';
import type { Sealer } from '../sealing';
import type { Grant, StoredCredential } from '../ownership/credential';

/** Grants of a credential. */
export const MAX_GRANTS = 50;

type Signer = Pick<Sealer, 'signGrant'>;

const sign = ({ signGrant }: Signer, credential: StoredCredential, projectId: string): string =>
  signGrant(credential, credential.sealed, projectId);

/** A new grant. @throws CredentialUnreadable */
export const grantOf = (
  signer: Signer,
  credential: StoredCredential,
  { projectId, ...by }: Omit<Grant, 'signature'>,
): Grant => ({ projectId, ...by, signature: sign(signer, credential, projectId) });

/** The grant to a project if there is one that holds. @throws CredentialUnreadable */
export const findGrant = (signer: Signer, credential: StoredCredential, projectId: string): Grant | undefined =>
  credential.grants.find(
    (grant) => grant.projectId === projectId && isSameSecret(grant.signature, sign(signer, credential, projectId)),
  );

/** The grants that hold; none of a credential that cannot be read, and so not be used either. */
export const holdingGrants = (signer: Signer, credential: StoredCredential): readonly Grant[] => {
  try {
    return credential.grants.filter((grant) => findGrant(signer, credential, grant.projectId) === grant);
  } catch (error) {
    if (error instanceof CredentialUnreadable) return [];
    throw error;
  }
};

/** The grants of a credential as they are to be stored with a new seal of it: each is signed anew. */
export const grantsUnder = (signer: Signer, old: StoredCredential, resealed: StoredCredential): readonly Grant[] =>
  resealed.sealed === old.sealed
    ? old.grants
    : holdingGrants(signer, old).map((grant) => grantOf(signer, resealed, grant));

/**
 * True if runs of a workflow may use a credential: the workflow's owner must own the credential, be a project that it
 * is granted to, or be a user with the role owner or admin, which manage all of them. All others are refused: an
 * editor's workflow cannot use credentials of others, nor a project's those of its members.
 * @throws CredentialUnreadable of one that was granted to the owner
 */
export type MayUse = (workflowOwner: ResourceOwner | undefined, credential: StoredCredential) => boolean;

/** Creates the rule. */
export const createMayUse = (signer: Signer): MayUse =>
  function mayUse(workflowOwner, credential) {
    if (workflowOwner === undefined) return false;
    const { id, role } = workflowOwner;
    if (role === 'owner' || role === 'admin' || id === credential.ownerId) return true;
    return role === undefined && findGrant(signer, credential, id) !== undefined;
  };
