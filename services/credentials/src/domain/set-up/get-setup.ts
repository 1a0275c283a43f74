import type { UserStore } from '../users/user';

/** Whether the first owner can still be made by SetUpOwner: as long as there is none. */
export type IsSetupOpen = () => Promise<boolean>;

/** Makes the use case. */
export const createIsSetupOpen =
  ({ findOwner }: Pick<UserStore, 'findOwner'>): IsSetupOpen =>
  async () =>
    (await findOwner()) === undefined;
