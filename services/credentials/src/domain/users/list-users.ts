import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { User, UserStore } from './user';

/** A page of users. @throws InvalidRequest */
export type ListUsers = (params: PageParams) => Promise<Page<User>>;

/** Makes the use case. */
export const createListUsers =
  ({ page }: Pick<UserStore, 'page'>): ListUsers =>
  (params) =>
    readPage({ read: page, idOf: ({ id }) => id }, params);
