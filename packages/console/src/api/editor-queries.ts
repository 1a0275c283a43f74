import { queryOptions } from '@tanstack/react-query';
import type { ParameterReference } from '@weft/node-catalogue/definitions';
import { weft } from './client';

/** Credentials that the user may see, without their data. */
export const credentialsQuery = queryOptions({
  queryKey: ['credentials', 'all'],
  staleTime: 30_000,
  queryFn: async ({ signal }) => (await weft.call('listCredentials', { signal })).data,
});

/** Labels of credential types by name. */
export const credentialTypesQuery = queryOptions({
  queryKey: ['credential-types', 'labels'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const { data } = await weft.call('listCredentialTypes', { signal });
    return new Map(data.map(({ name, label }) => [name, label]));
  },
});

/** Variables by key, as expressions read them. */
export const variablesQuery = queryOptions({
  queryKey: ['variables', 'values'],
  staleTime: 30_000,
  queryFn: async ({ signal }) => {
    const { data } = await weft.call('listVariables', { signal });
    return Object.fromEntries(data.map(({ key, value }) => [key, value]));
  },
});

/** The most resources that a list of a form offers. */
const MAX_CHOICES = 100;

/** Resources that a parameter can refer to. */
export const referencesQuery = (reference: ParameterReference) =>
  queryOptions({
    queryKey: ['references', reference],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<readonly { readonly id: string; readonly name: string }[]> => {
      switch (reference) {
        case 'workflow':
          return (await weft.call('listWorkflows', { query: { limit: MAX_CHOICES, summary: true }, signal })).data;
        case 'dataTable':
          return (await weft.call('listDataTables', { query: { limit: MAX_CHOICES }, signal })).data;
        case 'credential':
          return (await weft.call('listCredentials', { signal })).data;
      }
    },
  });
