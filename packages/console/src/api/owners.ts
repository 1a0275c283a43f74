import type { User } from '@weft/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { shortId } from '../ui/values/format';
import { weft } from './client';
import { readChoices } from './lists';
import { callerQuery, useMay } from './queries';

/** The projects that the caller can see, newest first. */
export const projectsQuery = queryOptions({
  queryKey: ['projects', 'all'],
  staleTime: 30_000,
  queryFn: ({ signal }) => readChoices((page) => weft.call('listProjects', { query: page, signal })),
});

const NO_USERS: readonly User[] = [];

const usersQuery = queryOptions({
  queryKey: ['users', 'all'],
  staleTime: 30_000,
  queryFn: ({ signal }) => readChoices((page) => weft.call('listUsers', { query: page, signal })),
});

/** All users, newest first; none for callers who do not manage users. */
export const useUsers = (): readonly User[] =>
  useQuery({ ...usersQuery, enabled: useMay('users:manage') }).data ?? NO_USERS;

/** Names of projects and users. */
export interface Owners {
  /** Name of a project, or email of a user; the short id if the caller cannot see it. */
  readonly nameOf: (id: string) => string;
  /** Projects whose contents the caller may change, and the caller, to own something new. */
  readonly own: readonly (readonly [id: string, name: string])[];
  /** All visible projects and the caller, to filter by. */
  readonly all: readonly (readonly [id: string, name: string])[];
}

/** Orders pairs of id and name. */
export const byName = (one: readonly [string, string], other: readonly [string, string]): number =>
  one[1].localeCompare(other[1]);

/** Names of owners; those that are not read yet are short ids. */
export const useOwners = (): Owners => {
  const { data: caller } = useQuery(callerQuery);
  const managesUsers = useMay('users:manage');
  const { data: projects = [] } = useQuery(projectsQuery);
  const users = useUsers();
  const self = caller?.user.id ?? '';
  const personal: readonly (readonly [string, string])[] = self === '' ? [] : [[self, 'Personal']];
  const named = projects.map(({ id, name }) => [id, name] as const).sort(byName);
  const members = (caller?.projects ?? [])
    .filter(({ role }) => role !== 'viewer')
    .map(({ id, name }) => [id, name] as const)
    .sort(byName);
  const names = new Map<string, string>([
    ...users.map(({ id, email }) => [id, email] as const),
    ...(caller?.projects ?? []).map(({ id, name }) => [id, name] as const),
    ...named,
    ...personal,
  ]);
  return {
    nameOf: (id) => names.get(id) ?? shortId(id),
    own: [...personal, ...(managesUsers ? named : members)],
    all: [...personal, ...named],
  };
};

/** Email of a user, also of the caller; the short id if the caller cannot see it. */
export const useUserName = (): ((id: string) => string) => {
  const { data: caller } = useQuery(callerQuery);
  const users = useUsers();
  const names = new Map(users.map(({ id, email }) => [id, email]));
  if (caller !== undefined) names.set(caller.user.id, caller.user.email);
  return (id) => names.get(id) ?? shortId(id);
};
