import { Forbidden, ServiceError } from '@weft/service-kit/errors';

/** There is no such variable. */
export class VariableNotFound extends ServiceError {
  constructor(variableId: string) {
    const shown = variableId.slice(0, 100);
    super({
      reason: 'VARIABLE_NOT_FOUND',
      kind: 'not-found',
      message: `No variable has the id ${shown}.`,
      details: { variableId: shown },
    });
  }
}

/** The variable belongs to another user, whose it is to change. */
export class NotYourVariable extends Forbidden {
  constructor(variableId: string) {
    super('This variable belongs to another user. Its owner, or a user with the role owner or admin, may change it.', {
      variableId,
    });
  }
}

/** Another variable has this key. */
export class VariableKeyTaken extends ServiceError {
  constructor(key: string) {
    super({
      reason: 'VARIABLE_KEY_TAKEN',
      kind: 'conflict',
      message: `Another variable has the key ${key}. Change that one, or use another key.`,
      details: { key },
    });
  }
}

/** There are as many variables as there may be. */
export class TooManyVariables extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_VARIABLES',
      kind: 'precondition',
      message:
        `There are ${limit} variables, and more are not possible. Delete one first, or keep data in a data ` + 'table.',
      details: { limit: String(limit) },
    });
  }
}
