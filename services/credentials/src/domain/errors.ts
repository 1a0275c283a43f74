import { ServiceError } from '@weft/service-kit/errors';

/** Truncates an id given by a caller, which may be any string. */
const shortened = (id: string): string => (id.length > 100 ? `${id.slice(0, 100)}…` : id);

/** Counts of owned objects, without zeros. */
const ownedDetails = (owned: Readonly<Record<string, number>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(owned).flatMap(([what, count]) => (count > 0 ? [[what, String(count)]] : [])));

/** No credential has this id. */
export class CredentialNotFound extends ServiceError {
  constructor(credentialId: string) {
    super({
      reason: 'CREDENTIAL_NOT_FOUND',
      kind: 'not-found',
      message: `No credential has the id ${shortened(credentialId)}.`,
      details: { credentialId: shortened(credentialId) },
    });
  }
}

/** No credential type has this name. */
export class CredentialTypeNotFound extends ServiceError {
  constructor(name: string, nearest: readonly string[]) {
    const hint = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(', ')}?`;
    super({
      reason: 'CREDENTIAL_TYPE_NOT_FOUND',
      kind: 'not-found',
      message: `No credential type is called ${shortened(name)}.${hint}`,
      details: { credentialType: shortened(name) },
    });
  }
}

/** The stored data was sealed under neither master key, or was modified outside this service. */
export class CredentialUnreadable extends ServiceError {
  constructor(credentialId: string, cause?: unknown) {
    super({
      reason: 'CREDENTIAL_UNREADABLE',
      kind: 'internal',
      message:
        `The data of credential ${credentialId} cannot be decrypted. Enter it again, or configure the master key ` +
        'it was encrypted with.',
      details: { credentialId },
      cause,
    });
  }
}

/** A file referred to by a field of the credential cannot be used. */
export class CredentialFileUnusable extends ServiceError {
  constructor(credentialId: string, errors: readonly { readonly field: string; readonly message: string }[]) {
    const fields = errors.map(({ field }) => field).join(', ');
    super({
      reason: 'CREDENTIAL_FILE_UNUSABLE',
      kind: 'precondition',
      message:
        `Credential ${credentialId} takes ${fields} from a mounted file that cannot be used: ` +
        `${errors.map(({ field, message }) => `${field} ${message}`).join(' ')}`,
      details: { credentialId, fields },
    });
  }
}

/** The workflow may use the credential neither as its owner's nor by a grant. */
export class CredentialNotGranted extends ServiceError {
  /** @param message names the credential and its owner, and says how to grant it */
  constructor(message: string, details: Readonly<Record<string, string>>) {
    super({ reason: 'CREDENTIAL_NOT_GRANTED', kind: 'forbidden', message, details });
  }
}

/** The credential has a different type than expected. */
export class CredentialTypeMismatch extends ServiceError {
  constructor(credentialId: string, expected: string, actual: string) {
    super({
      reason: 'CREDENTIAL_TYPE_MISMATCH',
      kind: 'precondition',
      message: `Credential ${credentialId} has type ${actual}; ${expected} is required.`,
      details: { credentialId, expectedType: expected, actualType: actual },
    });
  }
}

/** The update kept losing against concurrent updates of the credential. */
export class CredentialBusy extends ServiceError {
  constructor(credentialId: string) {
    super({
      reason: 'CREDENTIAL_BUSY',
      kind: 'conflict',
      message: `Credential ${credentialId} was updated concurrently. Read it and try again.`,
      details: { credentialId },
    });
  }
}

/** Workflows use the credential. */
export class CredentialInUse extends ServiceError {
  constructor(credentialId: string, workflows: readonly { id: string; name: string }[], hasHidden: boolean) {
    const hidden = hasHidden ? ' Some are of closed projects that it is granted to, and not shown to you.' : '';
    const advice = 'Change them, or delete it with force=true: their nodes fail then.';
    super({
      reason: 'CREDENTIAL_IN_USE',
      kind: 'precondition',
      message: `Workflows name this credential.${hidden} ${advice}`,
      details: {
        credentialId,
        workflowIds: workflows.map(({ id }) => id).join(', '),
        workflows: workflows.map(({ name }) => shortened(name)).join(', '),
        ...(hasHidden ? { hidden: 'true' } : {}),
      },
    });
  }
}

/** The credential is not granted to the project. */
export class GrantNotFound extends ServiceError {
  constructor(credentialId: string, projectId: string) {
    super({
      reason: 'GRANT_NOT_FOUND',
      kind: 'not-found',
      message: `The credential is not granted to a project, user or workflow with the id ${shortened(projectId)}.`,
      details: { credentialId, projectId: shortened(projectId) },
    });
  }
}

/** The credential has reached its limit of grants. */
export class TooManyGrants extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_GRANTS',
      kind: 'precondition',
      message: `The credential has ${limit} grants already. Revoke one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** The user has no key with this id. */
export class ApiKeyNotFound extends ServiceError {
  constructor(apiKeyId: string) {
    super({
      reason: 'API_KEY_NOT_FOUND',
      kind: 'not-found',
      message: `The user has no API key with the id ${shortened(apiKeyId)}.`,
      details: { apiKeyId: shortened(apiKeyId) },
    });
  }
}

/** The user has reached the limit of API keys. */
export class TooManyApiKeys extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_API_KEYS',
      kind: 'precondition',
      message: `You have reached the limit of ${limit} API keys. Delete one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** Another user has this email. */
export class UserExists extends ServiceError {
  constructor() {
    super({ reason: 'USER_EXISTS', kind: 'conflict', message: 'A user with this email already exists.' });
  }
}

/** No user has this id, or this email. */
export class UserNotFound extends ServiceError {
  /** @param by what `name` is */
  constructor(name: string, by: 'id' | 'email' = 'id') {
    super({
      reason: 'USER_NOT_FOUND',
      kind: 'not-found',
      message: `No user has the ${by} ${shortened(name)}.`,
      details: by === 'id' ? { userId: shortened(name) } : { email: shortened(name) },
    });
  }
}

/** The user is the only active owner, who cannot be demoted, locked or deleted. */
export class LastOwner extends ServiceError {
  constructor(userId: string) {
    super({
      reason: 'LAST_OWNER',
      kind: 'precondition',
      message: 'This user is the last active owner. Make another user an owner first.',
      details: { userId },
    });
  }
}

/** The user was changed concurrently. */
export class UserBusy extends ServiceError {
  constructor(userId: string) {
    super({
      reason: 'USER_BUSY',
      kind: 'conflict',
      message: `User ${userId} was changed concurrently. Read it and try again.`,
      details: { userId },
    });
  }
}

/** The user owns data, and no recipient is given. */
export class UserOwnsData extends ServiceError {
  constructor(userId: string, owned: Readonly<Record<string, number>>) {
    super({
      reason: 'USER_OWNS_DATA',
      kind: 'precondition',
      message: 'This user owns workflows or other data. Name the user or project that gets them in transferTo.',
      details: { userId, ...ownedDetails(owned) },
    });
  }
}

/** No project has this id, or it is being deleted. */
export class ProjectNotFound extends ServiceError {
  /** @param what the id could name */
  constructor(projectId: string, what = 'project') {
    super({
      reason: 'PROJECT_NOT_FOUND',
      kind: 'not-found',
      message: `No ${what} has the id ${shortened(projectId)}.`,
      details: { projectId: shortened(projectId) },
    });
  }
}

/** The user is not a member of the project. */
export class MemberNotFound extends ServiceError {
  constructor(projectId: string, userId: string) {
    super({
      reason: 'MEMBER_NOT_FOUND',
      kind: 'not-found',
      message: `The project has no member with the id ${shortened(userId)}.`,
      details: { projectId, userId: shortened(userId) },
    });
  }
}

/** The instance has reached its limit of projects. */
export class TooManyProjects extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_PROJECTS',
      kind: 'precondition',
      message: `There are ${limit} projects already. Delete one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** The project has reached its limit of members. */
export class TooManyMembers extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_MEMBERS',
      kind: 'precondition',
      message: `The project has ${limit} members already. Remove one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** The user has reached the limit of project memberships. */
export class TooManyMemberships extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_MEMBERSHIPS',
      kind: 'precondition',
      message: `The user is a member of ${limit} projects already. Remove it from one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** The project owns data, and no recipient is given. */
export class ProjectOwnsData extends ServiceError {
  constructor(projectId: string, owned: Readonly<Record<string, number>>) {
    super({
      reason: 'PROJECT_OWNS_DATA',
      kind: 'precondition',
      message: 'This project owns workflows or other data. Name the project or user that gets them in transferTo.',
      details: { projectId, ...ownedDetails(owned) },
    });
  }
}

/** No invitation has this id, or the token is unknown, used, withdrawn or expired: the same error for all of these. */
export class InvitationNotFound extends ServiceError {
  constructor(invitationId?: string) {
    super({
      reason: 'INVITATION_NOT_FOUND',
      kind: 'not-found',
      message: 'This invitation does not exist, or is no longer valid. Ask for a new one.',
      details: invitationId === undefined ? {} : { invitationId: shortened(invitationId) },
    });
  }
}

/** The limit of open invitations is reached. */
export class TooManyInvitations extends ServiceError {
  constructor(limit: number) {
    super({
      reason: 'TOO_MANY_INVITATIONS',
      kind: 'precondition',
      message: `There are ${limit} open invitations already. Withdraw one first.`,
      details: { limit: String(limit) },
    });
  }
}

/** Why an identified person may not sign in. */
export type SignInRefusal = 'email-not-verified' | 'unknown-user' | 'no-role' | 'locked' | 'other-identity';

const REFUSALS: Readonly<Record<SignInRefusal, string>> = {
  'email-not-verified': 'The identity provider has not verified your email. Verify it there and sign in again.',
  'unknown-user': 'There is no user with your email. Ask an owner or admin of this instance for an invitation.',
  'no-role': 'None of your groups gives you a role. Ask an owner or admin of this instance.',
  locked: 'This user is locked. Ask an owner or admin of this instance.',
  'other-identity': 'The user with your email belongs to another account of the identity provider.',
};

/** The provider has identified a person who may not sign in. */
export class SignInRefused extends ServiceError {
  constructor(because: SignInRefusal) {
    super({ reason: 'SIGN_IN_REFUSED', kind: 'forbidden', message: REFUSALS[because], details: { because } });
  }
}

/** The instance already has an owner. */
export class SetUpDone extends ServiceError {
  constructor() {
    super({
      reason: 'SET_UP_DONE',
      kind: 'conflict',
      message: 'This instance already has an owner. Sign in instead.',
    });
  }
}

/** One client address has reached its limit of concurrent password checks. */
export class TooManyPasswordChecks extends ServiceError {
  constructor() {
    super({
      reason: 'TOO_MANY_SIGN_INS',
      kind: 'limited',
      message: 'Too many passwords of this address are being checked. Try again in 1 s.',
      retryAfterSeconds: 1,
    });
  }
}

/** Too many failed sign-ins of one account or from one address. The same error whether or not the account exists. */
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
