import type { CheckClaim } from './domain/state/state';
import { createCreateVariable } from './domain/variables/create-variable';
import { createDeleteVariable } from './domain/variables/delete-variable';
import { createListVariables } from './domain/variables/list-variables';
import { createReadVariables } from './domain/variables/read-variables';
import { createReplaceVariable } from './domain/variables/replace-variable';
import type { VariableStore } from './domain/variables/variable';
import { handleCreateVariable } from './handlers/create-variable';
import { handleDeleteVariable } from './handlers/delete-variable';
import { handleListVariables } from './handlers/list-variables';
import { handleReadVariables } from './handlers/read-variables';
import { handleReplaceVariable } from './handlers/replace-variable';
import type { VariableMethods } from './handlers/variable-methods';

/** Joins store, domain and handlers of VariableService. */
export const wireVariables = (store: VariableStore, checkClaim: CheckClaim): VariableMethods => ({
  listVariables: handleListVariables(createListVariables(store)),
  createVariable: handleCreateVariable(createCreateVariable(store)),
  replaceVariable: handleReplaceVariable(createReplaceVariable(store)),
  deleteVariable: handleDeleteVariable(createDeleteVariable(store)),
  readVariables: handleReadVariables(createReadVariables(store, checkClaim)),
});
