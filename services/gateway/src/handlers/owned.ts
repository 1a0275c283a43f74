import { idParameter, type Query } from '../http/read-query';
import { idText } from '../http/shape';

/** The project that something new belongs to, in the body of a creation. */
export const PROJECT_ID = idText({
  maxLength: 100,
  description: 'The project that it belongs to, or a user; yourself if it is missing.',
});

/** The part of a list that one project or user owns. */
export const OF_PROJECT = idParameter('projectId', 'Only what this project, or user, owns.');

/** The filter of a list as the services take it. @throws InvalidRequest */
export const readOwner = (query: Query): { readonly projectId?: string } =>
  query.has(OF_PROJECT.name) ? { projectId: OF_PROJECT.read(query) } : {};
