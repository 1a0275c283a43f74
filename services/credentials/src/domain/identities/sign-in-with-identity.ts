import type { Role } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit';
import { LastOwner, SignInRefused, UserBusy } from '../errors';
import type { OpenedSession, OpenSession } from '../sessions/sessions';
import { isEmail, normaliseEmail } from '../users/login';
import { changeUser } from '../users/change-user';
import { NO_PASSWORD } from '../users/password';
import type { User, UserStore } from '../ownership/user';
import { MAX_ISSUER_LENGTH, MAX_SUBJECT_LENGTH, type Identity, type IdentityStore } from './identity';

/** A provider's claims about a person, and the configured roles. */
export interface IdentifiedPerson extends Identity {
  readonly email: string;
  readonly emailVerified: boolean;
  /** Empty if unknown. */
  readonly name: string;
  /** True if groups determine roles. */
  readonly rolesByGroup: boolean;
  /** The role given by the groups; undefined: none. */
  readonly groupRole: Role | undefined;
  /** The role of users who get none from a group; undefined: none, and unknown users are not created. */
  readonly newUserRole: Role | undefined;
  /** Address of the client; empty if unknown. */
  readonly address: string;
}

export interface SignInWithIdentityPorts {
  readonly identities: Pick<IdentityStore, 'findUser' | 'link' | 'removeOf'>;
  readonly users: Pick<
    UserStore,
    'findById' | 'findByEmail' | 'insert' | 'markLeaving' | 'unmarkLeaving' | 'hasStayingOwner' | 'change'
  >;
  readonly openSession: OpenSession;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/**
 * Opens a session of the user who has an identity. A first sign-in links the identity to the user with its verified
 * email, or creates that user. If groups determine roles, the role is updated.
 * @throws InvalidRequest, SignInRefused, UserBusy
 */
export type SignInWithIdentity = (person: IdentifiedPerson) => Promise<OpenedSession>;

type Ports = SignInWithIdentityPorts;

const MAX_NAME_LENGTH = 100;

const checkIdentity = ({ issuer, subject }: Identity): void => {
  const fields = [
    ...(issuer === '' || issuer.length > MAX_ISSUER_LENGTH ? ['issuer'] : []),
    ...(subject === '' || subject.length > MAX_SUBJECT_LENGTH ? ['subject'] : []),
  ];
  if (fields.length > 0)
    throw new InvalidRequest(
      'The identity cannot be used.',
      fields.map((field) => ({ field, message: 'is missing or too long.' })),
    );
};

const makeUser = async (ports: Ports, person: IdentifiedPerson, email: string, role: Role): Promise<User> => {
  const name = person.name.trim().slice(0, MAX_NAME_LENGTH);
  const user = { id: ports.newId(), email, role, createdAt: ports.clock(), ...(name === '' ? {} : { name }) };
  // Of two concurrent first sign-ins, one creates the user.
  if (!(await ports.users.insert({ ...user, passwordHash: NO_PASSWORD }))) throw new UserBusy(user.id);
  await ports.recordAudit({ action: 'user.create', actor: user.id, about: { userId: user.id, role } });
  return user;
};

/** The user of a first sign-in, by email: a verified email identifies the person. @throws SignInRefused */
const findOrMake = async (ports: Ports, person: IdentifiedPerson): Promise<User> => {
  const email = normaliseEmail(person.email.slice(0, 1_000));
  if (!person.emailVerified || !isEmail(email)) throw new SignInRefused('email-not-verified');
  const stored = await ports.users.findByEmail(email);
  if (stored !== undefined) {
    const { passwordHash: _, ...user } = stored;
    return user;
  }
  if (person.newUserRole === undefined) throw new SignInRefused('unknown-user');
  return makeUser(ports, person, email, person.groupRole ?? person.newUserRole);
};

const link = async (ports: Ports, { issuer, subject }: IdentifiedPerson, user: User): Promise<void> => {
  if (!(await ports.identities.link({ issuer, subject }, user.id, ports.clock())))
    throw new SignInRefused('other-identity');
  await ports.recordAudit({ action: 'user.link-identity', actor: user.id, about: { userId: user.id, issuer } });
};

const findUser = async (ports: Ports, person: IdentifiedPerson): Promise<User> => {
  const known = await ports.identities.findUser(person);
  const user = known === undefined ? undefined : await ports.users.findById(known);
  if (user !== undefined) return user;
  // The deletion of its user was interrupted before the identity was removed.
  if (known !== undefined) await ports.identities.removeOf(known);
  const found = await findOrMake(ports, person);
  if (found.lockedAt !== undefined) throw new SignInRefused('locked');
  await link(ports, person, found);
  return found;
};

/**
 * Gives the user the role that its groups currently give. The last owner stays an owner.
 * @throws SignInRefused, UserBusy
 */
const renewRole = async (ports: Ports, person: IdentifiedPerson, user: User): Promise<User> => {
  if (!person.rolesByGroup) return user;
  const role = person.groupRole ?? person.newUserRole;
  if (role === undefined) throw new SignInRefused('no-role');
  if (role === user.role) return user;
  const about = { userId: user.id, from: user.role, role, issuer: person.issuer };
  try {
    const changed = await changeUser(ports, user, { role });
    await ports.recordAudit({ action: 'user.change-role', actor: user.id, about });
    return changed;
  } catch (error) {
    if (!(error instanceof LastOwner)) throw error;
    await ports.recordAudit({ action: 'user.change-role', actor: user.id, about, outcome: 'refused' });
    return user;
  }
};

const signIn = async (ports: Ports, person: IdentifiedPerson): Promise<OpenedSession> => {
  const user = await findUser(ports, person);
  if (user.lockedAt !== undefined) throw new SignInRefused('locked');
  return ports.openSession(await renewRole(ports, person, user), person.address, person.issuer);
};

export const createSignInWithIdentity = (ports: SignInWithIdentityPorts): SignInWithIdentity =>
  async function signInWithIdentity(person) {
    checkIdentity(person);
    try {
      return await signIn(ports, person);
    } catch (error) {
      if (error instanceof SignInRefused) {
        const about = { address: person.address.slice(0, 100), issuer: person.issuer, ...error.details };
        await ports.recordAudit({ action: 'sign-in.failed', actor: 'unknown', about, outcome: 'refused' });
      }
      throw error;
    }
  };
