import { queryOptions } from '@tanstack/react-query';
import { weft } from './client';

/** The apps that users have added, by name. */
export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: async ({ signal }) => (await weft.call('listApps', { signal })).data,
});
