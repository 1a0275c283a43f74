import type { User } from '../users/user';
import type { Credential } from './credential';

/**
 * Whether runs of a workflow may use a credential: its owner has to own the credential, or to be owner or admin, who
 * may manage all of them. Anything else is closed: an editor's workflow cannot reach what others stored.
 */
export const mayUse = (workflowOwner: User | undefined, credential: Credential): boolean =>
  workflowOwner !== undefined &&
  (workflowOwner.role === 'owner' || workflowOwner.role === 'admin' || workflowOwner.id === credential.ownerId);
