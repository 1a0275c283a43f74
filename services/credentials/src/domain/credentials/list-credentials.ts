import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { Credential, CredentialStore } from './credential';

/** A page of credentials without their data. @throws InvalidRequest */
export type ListCredentials = (params: PageParams) => Promise<Page<Credential>>;

/** Makes the use case. */
export const createListCredentials =
  ({ page }: Pick<CredentialStore, 'page'>): ListCredentials =>
  (params) =>
    readPage({ read: page, idOf: ({ id }) => id }, params);
