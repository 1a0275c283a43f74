import { ServiceError } from '../errors';

/** The key was used for another request. */
export class IdempotencyKeyReused extends ServiceError {
  constructor() {
    super({
      reason: 'IDEMPOTENCY_KEY_REUSED',
      kind: 'conflict',
      message: 'This idempotency key was used for another request. Use a new key for a new request.',
    });
  }
}

/** The request was answered before with a secret, which is stored nowhere. */
export class ResponseNotRepeated extends ServiceError {
  constructor(idName: string, createdId: string) {
    super({
      reason: 'RESPONSE_NOT_REPEATED',
      kind: 'conflict',
      message:
        `An earlier request with this idempotency key created ${createdId}. Its response contained a secret, ` +
        'which is not shown again. Delete the object, and use a new key to create another.',
      details: { [idName]: createdId },
    });
  }
}

/** The caller has used too many keys within their lifetime. */
export class TooManyIdempotencyKeys extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_IDEMPOTENCY_KEYS',
      kind: 'limited',
      message: `You have used ${limit} idempotency keys within 24 hours. Send this request without a key, or later.`,
      retryAfterSeconds: 3_600,
    });
  }
}
