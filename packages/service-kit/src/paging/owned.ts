import { InvalidRequest } from '../errors';
import { isUuid } from '../ids';
import type { PageParams, PageSource } from './read-page';

/** A page of a list whose entries have owners. */
export interface OwnedPageParams extends PageParams {
  /** Only entries owned by this project or user; undefined: all. */
  readonly projectId?: string | undefined;
}

/** Reads an owner's entries after an id, in list order; undefined: of all owners except hidden ones. */
export type ReadOwned<Item> = (
  afterId: string | undefined,
  limit: number,
  ownerId?: string,
  hiddenOwnerIds?: readonly string[],
) => Promise<readonly Item[]>;

/** @throws InvalidRequest for anything that cannot be the id of a project or user: the list would always be empty */
export const checkProjectFilter = (projectId: string | undefined): void => {
  if (projectId !== undefined && !isUuid(projectId))
    throw new InvalidRequest('The filter is not valid.', [
      { field: 'projectId', message: 'must be the id of a project or user.' },
    ]);
};

/**
 * The part of a list that one project or user owns; without an id the whole list.
 * @throws InvalidRequest for an impossible id
 */
export const ownedBy = <Item>(
  projectId: string | undefined,
  { read, idOf }: { readonly read: ReadOwned<Item>; readonly idOf: (item: Item) => string },
): PageSource<Item> => {
  checkProjectFilter(projectId);
  return {
    read: (afterId, limit) => read(afterId, limit, projectId),
    idOf,
    // Cursors of unfiltered lists stay valid.
    ...(projectId === undefined ? {} : { filters: { projectId } }),
  };
};
