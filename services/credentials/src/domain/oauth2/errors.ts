import { ServiceError } from '@weft/service-kit/errors';

/** A user cannot sign in with the credential through a browser. */
export class LoginNotPossible extends ServiceError {
  /** @param message the reason, and what to change */
  constructor(credentialId: string, message: string) {
    super({ reason: 'LOGIN_NOT_POSSIBLE', kind: 'precondition', message, details: { credentialId } });
  }
}

/** The caller has no session in a browser, to which a sign-in belongs. */
export class SessionRequired extends ServiceError {
  constructor() {
    super({
      reason: 'SESSION_REQUIRED',
      kind: 'precondition',
      message:
        'A sign-in belongs to a browser, so it cannot begin with an API key. Open the credential in the console and ' +
        'choose Sign in.',
    });
  }
}

/** The attempt to sign in is unknown here. The same error for every cause. */
export class LoginAttemptInvalid extends ServiceError {
  constructor() {
    super({
      reason: 'LOGIN_ATTEMPT_INVALID',
      kind: 'precondition',
      message:
        'This sign-in has expired, was completed before, or began in another browser or session. Open the credential ' +
        'and choose Sign in again.',
    });
  }
}

/** The service did not issue tokens for a sign-in. */
export class LoginRefused extends ServiceError {
  /** @param message what the service said, without secrets */
  constructor(message: string) {
    super({ reason: 'LOGIN_REFUSED', kind: 'precondition', message });
  }
}

/** A credential in messages for users. */
type Named = Readonly<Record<'id' | 'name', string>>;

/** The credential cannot be used until a user signs in. */
export class CredentialNeedsLogin extends ServiceError {
  constructor({ id, name }: Named, why: string) {
    super({
      reason: 'CREDENTIAL_NEEDS_LOGIN',
      kind: 'precondition',
      message: `Credential "${name}" (${id}) needs a user to sign in: open it in the console. ${why}`,
      details: { credentialId: id },
    });
  }
}

/** The tokens of the credential are no longer valid, and could not be refreshed. */
export class TokenRefreshFailed extends ServiceError {
  constructor({ id, name }: Named, why: string) {
    super({
      reason: 'TOKEN_REFRESH_FAILED',
      kind: 'precondition',
      message: `The tokens of credential "${name}" (${id}) could not be refreshed. ${why}`,
      details: { credentialId: id },
    });
  }
}
