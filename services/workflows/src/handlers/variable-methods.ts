import type { Variable as VariableMessage, VariableServiceService } from '@weft/proto/variables';
import type { AccessRule, Handlers } from '@weft/service-kit/grpc';
import type { Variable } from '../domain/variables/variable';

/** The methods of VariableService, each with its messages. */
export type VariableMethods = Handlers<typeof VariableServiceService>;

const WRITE: AccessRule = { users: 'workflows:write' };

/** Who may call VariableService. */
export const VARIABLE_ACCESS: Readonly<Record<keyof VariableMethods, AccessRule>> = {
  listVariables: { users: 'workflows:read' },
  createVariable: WRITE,
  replaceVariable: WRITE,
  deleteVariable: WRITE,
  readVariables: { services: ['runner'] },
};

/** A variable as a message. */
export const variableMessage = (variable: Variable): VariableMessage => ({ ...variable });
