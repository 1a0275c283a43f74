import type { AuditEntry, User } from '@weft/client';
import { queryOptions } from '@tanstack/react-query';
import { weft } from './client';
import { pagedQuery } from './lists';
import { queryClient } from './queries';

/** The keys of the caller. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await weft.call('listApiKeys', { signal })).data,
});

/** The keys of another user. */
export const userKeysQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'keys'],
    queryFn: async ({ signal }) => (await weft.call('listUserApiKeys', { path: { id }, signal })).data,
  });

export const userListQuery = pagedQuery<User>(['users', 'list'], (page, signal) =>
  weft.call('listUsers', { query: page, signal }),
);

/** Reads all that is shown about users again. */
export const readUsersAgain = () => queryClient.invalidateQueries({ queryKey: ['users'] });

/** Invitations that were not used yet. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await weft.call('listInvitations', { signal })).data,
});

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'members'],
    queryFn: async ({ signal }) => (await weft.call('listProjectMembers', { path: { id }, signal })).data,
  });

/** Filters of the audit log that the API has. */
export interface AuditFilters {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: string;
  readonly to?: string;
}

export const auditQuery = (filters: AuditFilters) =>
  pagedQuery<AuditEntry>(['audit', filters], (page, signal) =>
    weft.call('listAudit', { query: { ...page, ...filters }, signal }),
  );
