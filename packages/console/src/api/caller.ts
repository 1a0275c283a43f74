import type { Caller } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { callerQuery } from './queries';

/** True if the caller may do something; false until it is known. */
export const useMay = (permission: string): boolean =>
  useQuery(callerQuery).data?.permissions.includes(permission) ?? false;

/** Shows an owner as the name of its project, `You`, or nothing if it is another person. */
export const ownerName = (caller: Caller | undefined, ownerId: string): string => {
  if (caller === undefined) return '';
  if (caller.user.id === ownerId) return 'Personal';
  return caller.projects.find(({ id }) => id === ownerId)?.name ?? 'Another owner';
};
