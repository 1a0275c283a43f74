import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit';
import { InvitationNotFound, UserExists } from '../errors';
import type { SessionStore } from '../sessions/session';
import type { OpenedSession, OpenSession } from '../sessions/sessions';
import type { SignInLimit } from '../users/sign-in-limit';
import { tokenHashOf } from '../token';
import { passwordError } from '../users/login';
import { checkMayAssign, checkMayManage } from '../users/may-manage';
import type { HashPassword } from '../users/password';
import type { User, UserStore } from '../ownership/user';
import type { Invitation, InvitationStore } from './invitation';

export interface AcceptPorts {
  readonly invitations: Pick<InvitationStore, 'findByHash' | 'remove'>;
  readonly users: Pick<UserStore, 'findById' | 'insert' | 'setPassword'>;
  readonly sessions: Pick<SessionStore, 'removeOf'>;
  readonly limit: SignInLimit;
  readonly openSession: OpenSession;
  readonly hashPassword: HashPassword;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Data sent by an invited person. */
export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** Address of the client; empty if unknown. */
  readonly address: string;
}

/** Use cases of invited persons, and of strangers who guess. */
export interface AcceptUseCases {
  /** @throws InvitationNotFound, the same whatever is wrong with the token; TooManySignIns */
  readonly getInvitation: (token: string, address: string) => Promise<Invitation>;
  /**
   * Consumes the token: of concurrent requests across all replicas, one succeeds.
   * @throws InvitationNotFound, TooManySignIns, InvalidRequest, UserExists, Unavailable
   */
  readonly acceptInvitation: (acceptance: Acceptance) => Promise<OpenedSession>;
}

const MAX_ADDRESS_LENGTH = 1_000;
const MAX_NAME_LENGTH = 100;

/** Guesses are counted by address. Cannot equal the name of an account, because emails are in lower case. */
const accountOf = (address: string): string => `INVITATION ${address}`;

/** True if the inviter may still do what the invitation permits. */
const isStillAllowed = async ({ users }: AcceptPorts, { createdBy, role, userId }: Invitation): Promise<boolean> => {
  const [inviter, user] = await Promise.all([
    users.findById(createdBy),
    userId === undefined ? undefined : users.findById(userId),
  ]);
  if (inviter === undefined || inviter.lockedAt !== undefined) return false;
  const actor = { userId: inviter.id, role: inviter.role };
  try {
    if (userId === undefined) checkMayAssign(actor, role);
    else if (user === undefined || user.lockedAt !== undefined) return false;
    else checkMayManage(actor, user);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'forbidden') return false;
    throw error;
  }
};

const checkFields = (name: string, password: string): void => {
  const message = passwordError(password);
  const errors = [
    ...(name.length > MAX_NAME_LENGTH
      ? [{ field: 'name', message: `must have at most ${MAX_NAME_LENGTH} characters.` }]
      : []),
    ...(message === undefined ? [] : [{ field: 'password', message }]),
  ];
  if (errors.length > 0) throw new InvalidRequest('The invitation cannot be accepted.', errors);
};

const makeUser = async (ports: AcceptPorts, { email, role }: Invitation, name: string, passwordHash: string) => {
  const named = name === '' ? {} : { name };
  const user: User = { id: ports.newId(), email, role, createdAt: ports.clock(), ...named };
  if (!(await ports.users.insert({ ...user, passwordHash }))) throw new UserExists();
  await ports.recordAudit({ action: 'user.create', actor: user.id, about: { userId: user.id, role } });
  return user;
};

const setPassword = async ({ users, sessions, recordAudit }: AcceptPorts, id: string, hash: string): Promise<User> => {
  const user = await users.findById(id);
  if (user === undefined || !(await users.setPassword(id, hash))) throw new InvitationNotFound();
  await sessions.removeOf(id);
  await recordAudit({ action: 'user.set-password', actor: id, about: { userId: id } });
  return user;
};

export const acceptUseCases = (ports: AcceptPorts): AcceptUseCases => {
  const { invitations, limit, openSession, clock } = ports;
  const getInvitation = async (token: string, typedAddress: string): Promise<Invitation> => {
    const address = typedAddress.slice(0, MAX_ADDRESS_LENGTH);
    await limit.attempt(accountOf(address), address);
    const hash = tokenHashOf(token);
    const found = hash === undefined ? undefined : await invitations.findByHash(hash);
    if (found === undefined || found.expiresAt <= clock() || !(await isStillAllowed(ports, found)))
      throw new InvitationNotFound();
    await limit.succeeded(accountOf(address), address);
    return found;
  };
  return {
    getInvitation,
    acceptInvitation: async ({ token, name: typedName, password, address }) => {
      const invitation = await getInvitation(token, address);
      const name = typedName.trim();
      checkFields(name, password);
      const passwordHash = await ports.hashPassword(password);
      if (!(await invitations.remove(invitation.id))) throw new InvitationNotFound();
      const user =
        invitation.userId === undefined
          ? await makeUser(ports, invitation, name, passwordHash)
          : await setPassword(ports, invitation.userId, passwordHash);
      return openSession(user, address);
    },
  };
};
