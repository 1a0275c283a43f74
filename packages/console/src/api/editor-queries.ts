import { queryOptions } from '@tanstack/react-query';
import type { ParameterReference } from '@weft/node-catalogue/definitions';
import { weft } from './client';

/** All credentials that the user may use in a form, without their data. */
export const usableCredentialsQuery = queryOptions({
  queryKey: ['credentials', 'usable in forms'],
  staleTime: 30_000,
  queryFn: async ({ signal }) => (await weft.call('listCredentials', { signal })).data,
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
