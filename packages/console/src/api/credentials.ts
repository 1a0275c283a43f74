import type { Credential } from '@weft/client';
import { queryOptions } from '@tanstack/react-query';
import { weft } from './client';
import { ownedBy, pagedQuery } from './lists';

/** The credentials that the caller manages. @param projectId only those of this project or user */
export const credentialsQuery = (projectId: string | undefined) =>
  pagedQuery<Credential>(['credentials', projectId], (page, signal) =>
    weft.call('listCredentials', { query: { ...page, ...ownedBy(projectId) }, signal }),
  );

export const credentialQuery = (id: string) =>
  queryOptions({
    queryKey: ['credential', id],
    queryFn: async ({ signal }) => (await weft.call('getCredential', { path: { id }, signal })).data,
  });

/** Workflows that name a credential, as far as the caller can see them. */
export const credentialUsesQuery = (id: string) =>
  queryOptions({
    queryKey: ['credential', id, 'workflows'],
    queryFn: async ({ signal }) => (await weft.call('listCredentialUses', { path: { id }, signal })).data,
  });

export const grantsQuery = (id: string) =>
  queryOptions({
    queryKey: ['credential', id, 'grants'],
    queryFn: async ({ signal }) => (await weft.call('listCredentialGrants', { path: { id }, signal })).data,
  });

/** All credential types by name. */
export const credentialTypesQuery = queryOptions({
  queryKey: ['credential-types'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const { data } = await weft.call('listCredentialTypes', { signal });
    return new Map(data.map((type) => [type.name, type]));
  },
});
