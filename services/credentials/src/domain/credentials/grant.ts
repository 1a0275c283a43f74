import { CredentialUnreadable } from '../errors';
import type { ResourceOwner } from '../ownership/owners';
import { isSameSecret } from '../same-secret';
import type { Sealer } from '../sealing';
import type { Grant, StoredCredential } from '../ownership/credential';

/** Maximum number of grants per credential. */
export const MAX_GRANTS = 50;

type Signer = Pick<Sealer, 'signGrant'>;

const sign = ({ signGrant }: Signer, credential: StoredCredential, projectId: string): string =>
  signGrant(credential, credential.sealed, projectId);

/** Creates a grant. @throws CredentialUnreadable */
export const grantOf = (
  signer: Signer,
  credential: StoredCredential,
  { projectId, ...by }: Omit<Grant, 'signature'>,
): Grant => ({ projectId, ...by, signature: sign(signer, credential, projectId) });

/** The valid grant to a project, if there is one. @throws CredentialUnreadable */
export const findGrant = (signer: Signer, credential: StoredCredential, projectId: string): Grant | undefined =>
  credential.grants.find(
    (grant) => grant.projectId === projectId && isSameSecret(grant.signature, sign(signer, credential, projectId)),
  );

/** The valid grants; none for an unreadable credential, which cannot be used either. */
export const holdingGrants = (signer: Signer, credential: StoredCredential): readonly Grant[] => {
  try {
    return credential.grants.filter((grant) => findGrant(signer, credential, grant.projectId) === grant);
  } catch (error) {
    if (error instanceof CredentialUnreadable) return [];
    throw error;
  }
};

/** The grants of a credential for storing it under a new seal: each is signed again. */
export const grantsUnder = (signer: Signer, old: StoredCredential, resealed: StoredCredential): readonly Grant[] =>
  resealed.sealed === old.sealed
    ? old.grants
    : holdingGrants(signer, old).map((grant) => grantOf(signer, resealed, grant));

/**
 * True if runs of a workflow may use a credential: the workflow's owner must own the credential, be a project it is
 * granted to, or be a user with the role owner or admin, which manage all credentials. All others are refused: an
 * editor's workflow cannot use credentials of others, nor a project's workflow those of its members.
 * @throws CredentialUnreadable if it was granted to the owner
 */
export type MayUse = (workflowOwner: ResourceOwner | undefined, credential: StoredCredential) => boolean;

export const createMayUse = (signer: Signer): MayUse =>
  function mayUse(workflowOwner, credential) {
    if (workflowOwner === undefined) return false;
    const { id, role } = workflowOwner;
    if (role === 'owner' || role === 'admin' || id === credential.ownerId) return true;
    return role === undefined && findGrant(signer, credential, id) !== undefined;
  };
