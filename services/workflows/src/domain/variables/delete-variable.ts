import type { Principal } from '@weft/service-kit/auth';
import { VariableNotFound } from './errors';
import { ownVariable } from './own-variable';
import type { VariableStore } from './variable';

/**
 * Deletes a variable. Runs that are under way keep it.
 * @throws VariableNotFound, also when it is deleted already; NotYourVariable
 */
export type DeleteVariable = (id: string, user: Principal) => Promise<void>;

/** Deletes it from the store. */
export const createDeleteVariable =
  (store: Pick<VariableStore, 'find' | 'remove'>): DeleteVariable =>
  async (id, user) => {
    await ownVariable(store, id, user);
    if (!(await store.remove(id))) throw new VariableNotFound(id);
  };
