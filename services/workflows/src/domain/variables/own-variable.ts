import { mayChange, type Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import { NotYourVariable, VariableNotFound } from './errors';
import type { Variable, VariableStore } from './variable';

/** A variable that exists and that the user may change. @throws VariableNotFound, NotYourVariable */
export const ownVariable = async (
  store: Pick<VariableStore, 'find'>,
  id: string,
  user: Principal,
): Promise<Variable> => {
  const variable = isUuid(id) ? await store.find(id) : undefined;
  if (variable === undefined) throw new VariableNotFound(id);
  if (!mayChange(user, variable.ownerId)) throw new NotYourVariable(id);
  return variable;
};
