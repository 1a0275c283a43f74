import { readPage, type Page, type PageWish } from '../page';
import type { User, UserStore } from './user';

/** A page of users. @throws InvalidRequest */
export type ListUsers = (wish: PageWish) => Promise<Page<User>>;

/** Makes the use case. */
export const createListUsers =
  ({ page }: Pick<UserStore, 'page'>): ListUsers =>
  (wish) =>
    readPage(page, wish);
