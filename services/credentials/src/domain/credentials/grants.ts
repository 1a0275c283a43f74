import type { Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { CredentialBusy, GrantNotFound, ProjectNotFound, TooManyGrants } from '../errors';
import type { Ownership } from '../ownership/inheritance';
import type { ProjectStore } from '../ownership/project';
import { findProject, managesAll } from '../projects/projects';
import type { Sealer } from '../sealing';
import { membershipOf, type UserStore } from '../ownership/user';
import {
  findCredential,
  type Credential,
  type CredentialStore,
  type Grant,
  type StoredCredential,
} from '../ownership/credential';
import { findGrant, granteeKey, granteeOf, grantOf, holdingGrants, MAX_GRANTS, type Grantee } from './grant';
import type { ReachedCredentials } from './reach';

/** Finds what a grant may name: a project that is not being deleted, a user or a workflow. */
export type FindGrantee = (id: string) => Promise<Grantee | undefined>;

export interface FindGranteePorts {
  readonly projects: Pick<ProjectStore, 'findById'>;
  readonly users: Pick<UserStore, 'findById'>;
  readonly ownership: Pick<Ownership, 'hasWorkflow'>;
}

export const createFindGrantee = ({ projects, users, ownership }: FindGranteePorts): FindGrantee =>
  async function findGrantee(id) {
    if (!isUuid(id)) return undefined;
    const project = await projects.findById(id);
    if (project !== undefined) return project.deletingAt === undefined ? { kind: 'project', id } : undefined;
    if ((await users.findById(id)) !== undefined) return { kind: 'user', id };
    return (await ownership.hasWorkflow(id)) ? { kind: 'workflow', id } : undefined;
  };

export interface GrantPorts {
  readonly credentials: Pick<ReachedCredentials, 'findById' | 'replace'>;
  readonly findGrantee: FindGrantee;
  readonly sealer: Pick<Sealer, 'signGrant'>;
  readonly recordAudit: RecordAudit;
  readonly clock: () => Date;
}

/** Grants of the credentials within a user's reach. */
export interface GrantUseCases {
  /** The valid ones, oldest first. @throws CredentialNotFound */
  readonly listCredentialGrants: (id: string) => Promise<readonly Grant[]>;
  /**
   * Lets the workflows of a project or user, or one workflow, use a credential. Repeating it changes nothing.
   * @throws CredentialNotFound, ProjectNotFound, InvalidRequest, TooManyGrants, CredentialBusy, CredentialUnreadable
   */
  readonly grantCredential: (id: string, granteeId: string) => Promise<Grant>;
  /** Takes effect for every use that begins afterwards. @throws CredentialNotFound, GrantNotFound, CredentialBusy */
  readonly revokeCredential: (id: string, granteeId: string) => Promise<void>;
}

const MAX_TRIES = 3;

/** A grantee in an audit record. */
const aboutOf = ({ kind, id }: Grantee): Readonly<Record<string, string>> => ({ [`${kind}Id`]: id });

/** Creates the use cases for a user who manages the credentials within a reach. */
export const grantUseCases = (ports: GrantPorts, { userId }: Principal): GrantUseCases => {
  const { credentials, findGrantee, sealer, recordAudit, clock } = ports;
  const find = (id: string): Promise<StoredCredential> => findCredential(credentials, id);
  /** @returns whether anything has changed. Grants are part of the revision, so that no other change loses them */
  const change = async (id: string, changed: (old: StoredCredential) => readonly Grant[]): Promise<boolean> => {
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      const old = await find(id);
      const grants = changed(old);
      if (grants === old.grants) return false;
      if (await credentials.replace({ ...old, grants, revision: old.revision + 1 }, old.revision)) return true;
    }
    throw new CredentialBusy(id);
  };
  return {
    listCredentialGrants: async (id) => holdingGrants(sealer, await find(id)),
    grantCredential: async (id, granteeId) => {
      await find(id);
      const grantee = await findGrantee(granteeId);
      if (grantee === undefined) throw new ProjectNotFound(granteeId, 'project, user or workflow');
      const projectId = granteeKey(grantee);
      let granted: Grant | undefined;
      const isNew = await change(id, (old) => {
        if (old.ownerId === granteeId)
          throw new InvalidRequest('The credential cannot be granted.', [
            {
              field: 'projectId',
              message: 'must not be the owner of the credential, whose workflows may use it anyway.',
            },
          ]);
        granted = findGrant(sealer, old, projectId);
        if (granted !== undefined) return old.grants;
        const others = holdingGrants(sealer, old).filter((grant) => grant.projectId !== projectId);
        if (others.length >= MAX_GRANTS) throw new TooManyGrants(MAX_GRANTS);
        granted = grantOf(sealer, old, { projectId, grantedBy: userId, grantedAt: clock() });
        return [...others, granted];
      });
      if (isNew)
        await recordAudit({
          action: 'credential.grant',
          actor: userId,
          about: { credentialId: id, ...aboutOf(grantee) },
        });
      return granted ?? Promise.reject(new CredentialBusy(id));
    },
    revokeCredential: async (id, granteeId) => {
      let revoked: Grantee | undefined;
      await change(id, ({ grants }) => {
        const left = grants.filter((grant) => granteeOf(grant).id !== granteeId);
        revoked = grants.map(granteeOf).find((grantee) => grantee.id === granteeId);
        if (revoked === undefined) throw new GrantNotFound(id, granteeId);
        return left;
      });
      const about = { credentialId: id, ...(revoked === undefined ? {} : aboutOf(revoked)) };
      await recordAudit({ action: 'credential.revoke', actor: userId, about });
    },
  };
};

/** A credential granted to a project, as shown to the project's members. */
export interface GrantedCredential extends Pick<Credential, 'id' | 'name' | 'type' | 'ownerId'> {
  readonly grantedAt: Date;
}

export interface GrantedPorts {
  readonly credentials: Pick<CredentialStore, 'pageGranted'>;
  readonly projects: Pick<ProjectStore, 'findById'>;
  readonly users: Pick<UserStore, 'findById'>;
  readonly sealer: Pick<Sealer, 'signGrant'>;
}

/**
 * Pages through the credentials granted to a project, for its members and for owners and admins of the instance.
 * @throws ProjectNotFound, Forbidden, InvalidRequest
 */
export type ListGrantedCredentials = (
  actor: Principal,
  projectId: string,
  page: PageParams,
) => Promise<Page<GrantedCredential>>;

/** Creates the list. Uses the stored memberships; a run that acts for a project is not a member. */
export const createListGrantedCredentials = (ports: GrantedPorts): ListGrantedCredentials =>
  async function listGrantedCredentials(actor, projectId, page) {
    const { credentials, projects, users, sealer } = ports;
    await findProject(projects, projectId);
    if (!managesAll(actor) && membershipOf(await users.findById(actor.userId), projectId) === undefined)
      throw new Forbidden(
        'Only its members, and owners and admins of this instance, may see what this project may use.',
        {
          projectId,
        },
      );
    const source = {
      read: (afterId: string | undefined, limit: number) => credentials.pageGranted(projectId, afterId, limit),
      idOf: ({ id }: Credential) => id,
      filters: { projectId },
    };
    const { items, nextCursor } = await readPage(source, page);
    return {
      nextCursor,
      items: items.flatMap((credential) => {
        const grants = credential.grants.filter((one) => one.projectId === projectId);
        const [grant] = holdingGrants(sealer, { ...credential, grants });
        const { id, name, type, ownerId } = credential;
        return grant === undefined ? [] : [{ id, name, type, ownerId, grantedAt: grant.grantedAt }];
      }),
    };
  };
