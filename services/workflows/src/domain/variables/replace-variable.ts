import type { Principal } from '@weft/service-kit/auth';
import { checkVariable } from './check-variable';
import { VariableKeyTaken, VariableNotFound } from './errors';
import { ownVariable } from './own-variable';
import type { Variable, VariableStore } from './variable';

/** Replaces key and value of a variable. @throws InvalidRequest, VariableNotFound, NotYourVariable, VariableKeyTaken */
export type ReplaceVariable = (
  id: string,
  params: { readonly key: string; readonly value: string },
  user: Principal,
) => Promise<Variable>;

/** The last of two writers counts. */
export const createReplaceVariable =
  (store: Pick<VariableStore, 'find' | 'replace'>): ReplaceVariable =>
  async (id, { key, value }, user) => {
    checkVariable({ key, value });
    const next: Variable = { ...(await ownVariable(store, id, user)), key, value, updatedAt: new Date() };
    const outcome = await store.replace(next);
    if (outcome === 'key-taken') throw new VariableKeyTaken(key);
    if (outcome === 'gone') throw new VariableNotFound(id);
    return next;
  };
