import { idParameter, type Query } from '../http/read-query';
import { idText } from '../http/shape';
import { described, ID } from '../openapi/schema';

/** The owner of an object in a response. */
export const OWNER_ID = described('The project or user that owns it.', ID);

/** The project that owns a new object, in the body of a creation. */
export const PROJECT_ID = idText({
  maxLength: 100,
  description: 'The owner, a project or a user. Default: yourself.',
});

/** Filter of a list by its owner, a project or user. */
export const OF_PROJECT = idParameter('projectId', 'Only resources that this project or user owns.');

/** The filter of a list as passed to the services. @throws InvalidRequest */
export const readOwner = (query: Query): { readonly projectId?: string } =>
  query.has(OF_PROJECT.name) ? { projectId: OF_PROJECT.read(query) } : {};
