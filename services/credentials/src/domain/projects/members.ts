import type { Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest } from '@weft/service-kit/errors';
import { MemberNotFound, TooManyMembers, TooManyMemberships, UserNotFound } from '../errors';
import { normaliseEmail } from '../users/login';
import { membershipOf, type ProjectRole, type User, type UserStore } from '../ownership/user';
import { findUser } from '../users/users';
import { MAX_MEMBERS, MAX_MEMBERSHIPS } from '../ownership/project';
import { findManagedProject, findProject, managesAll, type ProjectPorts } from './projects';

/** Identifies a user by id or email. */
export type UserName = { readonly userId: string } | { readonly email: string };

/** A member of a project. */
export interface Member {
  readonly user: User;
  readonly role: ProjectRole;
}

export interface MemberPorts extends Pick<ProjectPorts, 'projects' | 'recordAudit'> {
  readonly users: Pick<
    UserStore,
    'findById' | 'findByEmail' | 'putMembership' | 'removeMembership' | 'findMembers' | 'countMembers'
  >;
}

/** Members of projects. A change takes effect with the member's next request: nothing is cached. */
export interface MemberUseCases {
  /** @throws ProjectNotFound, Forbidden */
  readonly listProjectMembers: (actor: Principal, projectId: string) => Promise<readonly Member[]>;
  /**
   * Makes a user a member, or changes the role of a member.
   * @throws InvalidRequest, ProjectNotFound, Forbidden, UserNotFound, TooManyMembers, TooManyMemberships
   */
  readonly putProjectMember: (
    actor: Principal,
    projectId: string,
    name: UserName,
    role: ProjectRole | undefined,
  ) => Promise<Member>;
  /** Members may remove themselves. @throws ProjectNotFound, Forbidden, MemberNotFound */
  readonly removeProjectMember: (actor: Principal, projectId: string, userId: string) => Promise<void>;
}

const findNamed = async (users: MemberPorts['users'], name: UserName): Promise<User> => {
  if ('userId' in name) return findUser(users, name.userId);
  const email = normaliseEmail(name.email.slice(0, 1_000));
  const found = await users.findByEmail(email);
  if (found === undefined) throw new UserNotFound(email, 'email');
  return found;
};

export const memberUseCases = (ports: MemberPorts): MemberUseCases => {
  const { projects, users, recordAudit } = ports;
  return {
    listProjectMembers: async (actor, projectId) => {
      await findProject(projects, projectId);
      if (!managesAll(actor) && membershipOf(await users.findById(actor.userId), projectId) === undefined)
        throw new Forbidden(
          'Only its members, and owners and admins of this instance, may see who is in this project.',
          {
            projectId,
          },
        );
      return (await users.findMembers(projectId)).flatMap((user) => {
        const membership = membershipOf(user, projectId);
        return membership === undefined ? [] : [{ user, role: membership.role }];
      });
    },
    putProjectMember: async (actor, projectId, name, role) => {
      if (role === undefined)
        throw new InvalidRequest('The member cannot be added.', [
          { field: 'role', message: 'must be one of admin, editor, viewer.' },
        ]);
      await findManagedProject(ports, actor, projectId);
      const user = await findNamed(users, name);
      const isNew = membershipOf(user, projectId) === undefined;
      if (isNew && (await users.countMembers(projectId)) >= MAX_MEMBERS) throw new TooManyMembers(MAX_MEMBERS);
      const outcome = await users.putMembership(user.id, { projectId, role });
      if (outcome === 'full') throw new TooManyMemberships(MAX_MEMBERSHIPS);
      if (outcome === 'gone') throw new UserNotFound(user.id);
      await recordAudit({
        action: 'project.put-member',
        actor: actor.userId,
        about: { projectId, userId: user.id, role },
      });
      return { user, role };
    },
    removeProjectMember: async (actor, projectId, userId) => {
      if (actor.userId === userId) await findProject(projects, projectId);
      else await findManagedProject(ports, actor, projectId);
      if (!(await users.removeMembership(userId, projectId))) throw new MemberNotFound(projectId, userId);
      await recordAudit({ action: 'project.remove-member', actor: actor.userId, about: { projectId, userId } });
    },
  };
};
