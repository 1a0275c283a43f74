import { ServiceError } from '@weft/service-kit/errors';

/** Ids come from callers; a string that is no id at all is shown only in part. */
const shown = (id: string): string => (id.length > 100 ? `${id.slice(0, 100)}…` : id);

/** No credential has this id. */
export class CredentialNotFound extends ServiceError {
  constructor(credentialId: string) {
    super({
      reason: 'CREDENTIAL_NOT_FOUND',
      kind: 'not-found',
      message: `No credential has id ${shown(credentialId)}.`,
      details: { credentialId: shown(credentialId) },
    });
  }
}

/** The stored data fits neither master key, or was changed outside this service. */
export class CredentialUnreadable extends ServiceError {
  constructor(credentialId: string, cause?: unknown) {
    super({
      reason: 'CREDENTIAL_UNREADABLE',
      kind: 'internal',
      message:
        `The data of credential ${credentialId} cannot be opened. Enter it again, or give the service the ` +
        'master key it was sealed with.',
      details: { credentialId },
      cause,
    });
  }
}

/** The credential is of another type than the one its user expects. */
export class CredentialTypeMismatch extends ServiceError {
  constructor(credentialId: string, expected: string, actual: string) {
    super({
      reason: 'CREDENTIAL_TYPE_MISMATCH',
      kind: 'precondition',
      message: `Credential ${credentialId} is of type ${actual}, and ${expected} is needed.`,
      details: { credentialId, expectedType: expected, actualType: actual },
    });
  }
}

/** Others change the same credential again and again. */
export class CredentialBusy extends ServiceError {
  constructor(credentialId: string) {
    super({
      reason: 'CREDENTIAL_BUSY',
      kind: 'conflict',
      message: `Credential ${credentialId} was changed by others meanwhile. Read it and try again.`,
      details: { credentialId },
    });
  }
}

/** The calling user has no key with this id. */
export class ApiKeyNotFound extends ServiceError {
  constructor(apiKeyId: string) {
    super({
      reason: 'API_KEY_NOT_FOUND',
      kind: 'not-found',
      message: `You have no API key with id ${shown(apiKeyId)}.`,
      details: { apiKeyId: shown(apiKeyId) },
    });
  }
}

/** The user has as many keys as a user may have. */
export class TooManyApiKeys extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_API_KEYS',
      kind: 'precondition',
      message: `You have ${limit} API keys, and more are not possible. Delete one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** Another user has this address. */
export class UserExists extends ServiceError {
  constructor() {
    super({ reason: 'USER_EXISTS', kind: 'conflict', message: 'A user with this email exists.' });
  }
}

/** The instance has its owner, and the set-up page has closed. */
export class SetUpDone extends ServiceError {
  constructor() {
    super({
      reason: 'SET_UP_DONE',
      kind: 'conflict',
      message: 'This instance is set up already: it has an owner, and no second one can be made. Sign in instead.',
    });
  }
}

/** Too many failed sign-ins of one account or from one address. Says the same whether or not the account exists. */
export class TooManySignIns extends ServiceError {
  constructor(retryAfterSeconds: number) {
    super({
      reason: 'TOO_MANY_SIGN_INS',
      kind: 'limited',
      message: `Too many failed sign-ins. Try again in ${retryAfterSeconds} s.`,
      retryAfterSeconds,
    });
  }
}
