import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { CredentialStore } from './credential';
import { ProjectNotFound } from '../errors';
import type { ProjectStore } from './project';
import type { UserStore } from './user';

/** An object stored by the workflows service. */
export interface OwnedThing {
  readonly kind: 'workflow' | 'variable' | 'data-table';
  readonly id: string;
}

/** Ownership in the workflows service. An owner is a user or a project. */
export interface Ownership {
  /** Counts of owned objects, for example `{ workflows: 2 }`. */
  readonly countOwned: (ownerId: string) => Promise<Readonly<Record<string, number>>>;
  /** Workflows become inactive. */
  readonly transferOwnership: (fromOwnerId: string, toOwnerId: string) => Promise<void>;
  readonly hasWorkflow: (workflowId: string) => Promise<boolean>;
  /** Gives one object to another owner, if the user may change it. @throws the error for a missing object, Forbidden */
  readonly transferOne: (thing: OwnedThing, toOwnerId: string, user: Principal) => Promise<void>;
}

export interface CountPorts {
  readonly credentials: Pick<CredentialStore, 'countOf'>;
  readonly ownership: Pick<Ownership, 'countOwned'>;
}

/** Counts of what a user or project owns, by kind. */
export const countOwned = async (
  { credentials, ownership }: CountPorts,
  id: string,
): Promise<Readonly<Record<string, number>>> => {
  const [ofCredentials, others] = await Promise.all([credentials.countOf(id), ownership.countOwned(id)]);
  return { credentials: ofCredentials, ...others };
};

/** Stores in which recipients are looked up. */
export interface HeirPorts {
  readonly users: Pick<UserStore, 'findById'>;
  readonly projects: Pick<ProjectStore, 'findById'>;
}

/**
 * True if a user or project may receive what others own: an active user who is not a viewer, or a project that is not
 * being deleted.
 */
export const mayInherit = async ({ users, projects }: HeirPorts, id: string): Promise<boolean> => {
  const user = await users.findById(id);
  if (user !== undefined) return user.lockedAt === undefined && user.role !== 'viewer';
  const project = await projects.findById(id);
  return project !== undefined && project.deletingAt === undefined;
};

/** Refuses a user or project that may not own new objects. @throws ProjectNotFound */
export type CheckDestination = (ownerId: string) => Promise<void>;

/** Creates the check. It does not check who may create objects there. */
export const createCheckDestination = (ports: HeirPorts): CheckDestination =>
  async function checkDestination(id) {
    if (!isUuid(id) || !(await mayInherit(ports, id))) throw new ProjectNotFound(id);
  };

/** @throws InvalidRequest unless another user or project is given that may receive what this one owns */
export const checkHeir = async (ports: HeirPorts, id: string, transferTo: string, message: string): Promise<void> => {
  if (transferTo !== id && (await mayInherit(ports, transferTo))) return;
  throw new InvalidRequest(message, [
    {
      field: 'transferTo',
      message: 'must be the id of a project, or of another user who is not locked and not a viewer.',
    },
  ]);
};
