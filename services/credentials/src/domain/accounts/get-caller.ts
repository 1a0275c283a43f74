import type { Principal } from '@weft/service-kit/auth';
import type { ApiKey, ApiKeyStore } from '../api-keys/api-key';
import type { Project, ProjectStore } from '../ownership/project';
import type { ProjectRole, User, UserStore } from '../ownership/user';
import { createClosing, type ClosedProjectPorts } from '../projects/closed-projects';
import { findUser } from '../users/users';

/** A project of a caller. */
export interface CallerProject extends Pick<Project, 'id' | 'name'> {
  readonly role: ProjectRole;
  readonly closed: boolean;
}

/** A caller's user, key and projects. */
export interface Caller {
  readonly user: User;
  /** Undefined if the caller did not use a key. */
  readonly apiKey: ApiKey | undefined;
  readonly projects: readonly CallerProject[];
}

/**
 * Describes a caller.
 * @param keyId the key that was verified; undefined: none
 * @throws UserNotFound if the user was deleted meanwhile
 */
export type GetCaller = (principal: Principal, keyId: string | undefined) => Promise<Caller>;

export interface GetCallerPorts extends ClosedProjectPorts {
  readonly users: Pick<UserStore, 'findById'>;
  readonly apiKeys: Pick<ApiKeyStore, 'find'>;
  readonly projects: Pick<ProjectStore, 'findByIds'>;
}

export const createGetCaller = (ports: GetCallerPorts): GetCaller => {
  const { users, apiKeys, projects } = ports;
  const { closedAmong } = createClosing(ports);
  const projectsOf = async ({ memberships = [] }: User): Promise<readonly CallerProject[]> => {
    if (memberships.length === 0) return [];
    const roles = new Map(memberships.map(({ projectId, role }) => [projectId, role]));
    const [found, closed] = await Promise.all([projects.findByIds([...roles.keys()]), closedAmong([...roles.keys()])]);
    return found.flatMap(({ id, name }) => {
      const role = roles.get(id);
      return role === undefined ? [] : [{ id, name, role, closed: closed.has(id) }];
    });
  };
  return async function getCaller({ userId }, keyId) {
    const [user, apiKey] = await Promise.all([
      findUser(users, userId),
      keyId === undefined ? undefined : apiKeys.find(keyId, userId),
    ]);
    return { user, apiKey, projects: await projectsOf(user) };
  };
};
