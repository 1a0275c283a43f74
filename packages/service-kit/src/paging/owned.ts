import { InvalidRequest } from '../errors';
import { isUuid } from '../ids';
import type { PageParams, PageSource } from './read-page';

/** A page of a list of what has an owner. */
export interface OwnedPageParams extends PageParams {
  /** Only what this project, or user, owns; undefined: all. */
  readonly projectId?: string | undefined;
}

/**
 * Reads the entries after an id that belong to an owner, in the order of the list; undefined: of all but those that are
 * hidden.
 */
export type ReadOwned<Item> = (
  afterId: string | undefined,
  limit: number,
  ownerId?: string,
  hiddenOwnerIds?: readonly string[],
) => Promise<readonly Item[]>;

/** @throws InvalidRequest for what can be no id of a project or user: it would be an empty list */
export const checkProjectFilter = (projectId: string | undefined): void => {
  if (projectId !== undefined && !isUuid(projectId))
    throw new InvalidRequest('The filter is not valid.', [
      { field: 'projectId', message: 'must be the id of a project or user.' },
    ]);
};

/**
 * The part of a list that one project or user owns; all of it without an id.
 * @throws InvalidRequest for what can be no id
 */
export const ownedBy = <Item>(
  projectId: string | undefined,
  { read, idOf }: { readonly read: ReadOwned<Item>; readonly idOf: (item: Item) => string },
): PageSource<Item> => {
  checkProjectFilter(projectId);
  return {
    read: (afterId, limit) => read(afterId, limit, projectId),
    idOf,
    // Cursors of whole lists stay what they were.
    ...(projectId === undefined ? {} : { filters: { projectId } }),
  };
};
