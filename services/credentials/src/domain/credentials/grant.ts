import { CredentialUnreadable } from '../errors';
import type { ResourceOwner } from '../ownership/owners';
import { isSameSecret } from '../same-secret';
import type { Sealer } from '../sealing';
import type { Credential, Grant, StoredCredential } from '../ownership/credential';

/** Maximum number of grants per credential. */
export const MAX_GRANTS = 50;

/** A project or user, whose workflows may use a credential, or a workflow that may. */
export interface Grantee {
  readonly kind: 'project' | 'user' | 'workflow';
  readonly id: string;
}

/** A grantee as stored in a grant. */
export const granteeKey = ({ kind, id }: Grantee): string => (kind === 'project' ? id : `${kind}:${id}`);

/** The grantee of a grant. */
export const granteeOf = ({ projectId }: Pick<Grant, 'projectId'>): Grantee => {
  const [kind, id] = projectId.split(':');
  return id !== undefined && (kind === 'user' || kind === 'workflow')
    ? { kind, id }
    : { kind: 'project', id: projectId };
};

type Signer = Pick<Sealer, 'signGrant'>;

const sign = ({ signGrant }: Signer, credential: StoredCredential, projectId: string): string =>
  signGrant(credential, credential.sealed, projectId);

/** Creates a grant. @throws CredentialUnreadable */
export const grantOf = (
  signer: Signer,
  credential: StoredCredential,
  { projectId, ...by }: Omit<Grant, 'signature'>,
): Grant => ({ projectId, ...by, signature: sign(signer, credential, projectId) });

/** The valid grant with a stored grantee, if there is one. @throws CredentialUnreadable */
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

/** The workflow whose runs use a credential. */
export interface UsingWorkflow {
  /** Undefined: the owner does not exist any more. */
  readonly owner: ResourceOwner | undefined;
  /** Empty for a workflow that has no id yet. */
  readonly workflowId: string;
}

/** The grantees whose grants let a workflow use a credential. */
const granteesFor = ({ id, isProject }: ResourceOwner, workflowId: string): readonly Grantee[] => [
  { kind: isProject ? 'project' : 'user', id },
  ...(workflowId === '' ? [] : [{ kind: 'workflow' as const, id: workflowId }]),
];

/**
 * True if runs of a workflow may use a credential: the workflow's owner must own it, or it must be granted to that
 * owner or to the workflow. The role of the owner does not matter: a workflow often was written by another user.
 * @throws CredentialUnreadable if it was granted
 */
export type MayUse = (using: UsingWorkflow, credential: StoredCredential) => boolean;

export const createMayUse = (signer: Signer): MayUse =>
  function mayUse({ owner, workflowId }, credential) {
    if (owner === undefined) return false;
    if (owner.id === credential.ownerId) return true;
    return granteesFor(owner, workflowId).some(
      (grantee) => findGrant(signer, credential, granteeKey(grantee)) !== undefined,
    );
  };

/** Explains who owns a credential that a workflow, or another user of it, may not use, and how to grant it. */
export const refusalOf = (
  { owner, workflowId }: UsingWorkflow,
  { id, name }: Pick<Credential, 'id' | 'name'>,
  credentialOwner: ResourceOwner | undefined,
  user: 'workflow' | 'event subscription' = 'workflow',
): string => {
  const belongsTo = `belongs to ${credentialOwner?.label ?? 'an owner who does not exist any more'}`;
  if (owner === undefined)
    return `Credential "${name}" (${id}) ${belongsTo}, and the owner of the ${user} does not exist.`;
  const path = `/api/v1/credentials/${id}/grants/`;
  const orWorkflow = workflowId === '' ? '' : `, or ${path}${workflowId} for this workflow only`;
  return (
    `Credential "${name}" (${id}) ${belongsTo} and is not granted to ${owner.label}, the owner of the ${user}. ` +
    `A user who manages the credential can grant it: PUT ${path}${owner.id}${orWorkflow}.`
  );
};
