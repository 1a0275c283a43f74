import { Forbidden, ServiceError } from '@weft/service-kit/errors';

/** No variable has this id. */
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

/** The variable belongs to another user. */
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

/** The instance has reached its limit of variables. */
export class TooManyVariables extends ServiceError {
  constructor({ limit, isOfOwner }: { readonly limit: number; readonly isOfOwner: boolean }) {
    super({
      reason: 'TOO_MANY_VARIABLES',
      kind: 'precondition',
      message:
        `The limit of ${limit} variables${isOfOwner ? ' of one owner' : ''} is reached. ` +
        'Delete one first, or store the value in a data table.',
      details: { limit: String(limit) },
    });
  }
}
