import { readPage, type Page, type PageWish } from '../page';
import type { Credential, CredentialStore } from './credential';

/** A page of credentials without their data. @throws InvalidRequest */
export type ListCredentials = (wish: PageWish) => Promise<Page<Credential>>;

/** Makes the use case. */
export const createListCredentials =
  ({ page }: Pick<CredentialStore, 'page'>): ListCredentials =>
  (wish) =>
    readPage(page, wish);
