import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { checkVariable } from './check-variable';
import { TooManyVariables, VariableKeyTaken } from './errors';
import { MAX_VARIABLES } from './read-variables';
import type { Variable, VariableStore } from './variable';

/** Stores a variable. @throws InvalidRequest, VariableKeyTaken, TooManyVariables */
export type CreateVariable = (
  params: { readonly key: string; readonly value: string },
  user: Principal,
) => Promise<Variable>;

/** Stores it as the user's own. */
export const createCreateVariable =
  (store: Pick<VariableStore, 'count' | 'insert'>): CreateVariable =>
  async ({ key, value }, user) => {
    checkVariable({ key, value });
    if ((await store.count()) >= MAX_VARIABLES) throw new TooManyVariables(MAX_VARIABLES);
    const now = new Date();
    const variable: Variable = { id: uuidv7(), key, value, ownerId: user.userId, createdAt: now, updatedAt: now };
    if ((await store.insert(variable)) === 'key-taken') throw new VariableKeyTaken(key);
    return variable;
  };
