import { Role as RoleMessage, type User } from '@weft/proto/identity';
import { type Principal, type Role } from '@weft/service-kit/auth';
import { InternalError } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import type { Clients } from '../clients';
import { creationKey } from '../http/idempotency-key';
import { quote, timeText } from '../http/json-text';
import { textParameter } from '../http/read-query';
import { choice, object, readBody, text } from '../http/shape';
import { dataAnswer, DELETED, type TextAnswer } from '../middleware/responses/write-answer';
import { component, ID, oneOf, orNull, record, TEXT, TIME } from '../openapi/schema';
import { apiKeyText } from './api-keys';
import type { IdentityHandler } from './identity-handler';

const ROLES: ReadonlyMap<string, RoleMessage> = new Map(
  Object.entries({
    owner: RoleMessage.ROLE_OWNER,
    admin: RoleMessage.ROLE_ADMIN,
    editor: RoleMessage.ROLE_EDITOR,
    viewer: RoleMessage.ROLE_VIEWER,
  } satisfies Readonly<Record<Role, RoleMessage>>),
);

/** A role in a body. */
export const ROLE = choice(ROLES);

/** A role in an answer. */
export const SHOWN_ROLE = oneOf(...ROLES.keys());

/** An email address in a body. */
export const EMAIL = text({
  maxLength: 254,
  pattern: String.raw`^[^\s@\x00-\x1f\x7f-\x9f]{1,64}@[^\s@\x00-\x1f\x7f-\x9f]{1,189}$`,
});

/** Body of a new user. */
export const NEW_USER_BODY = object(
  { email: EMAIL, password: text({ minLength: 12, maxLength: 200, writeOnly: true }), role: ROLE },
  { required: ['email', 'password', 'role'] },
);

/** Body of an update of a user. */
export const USER_BODY = object(
  { role: ROLE },
  { required: ['role'], ignored: ['id', 'email', 'name', 'createdAt', 'lockedAt'] },
);

/** Schema of `userText`. */
export const USER = component(
  'User',
  record({ id: ID, email: TEXT, name: TEXT, role: SHOWN_ROLE, createdAt: TIME, lockedAt: orNull(TIME) }),
);

/** Parameter with the recipient of a deleted user's objects. */
export const TRANSFER_TO = textParameter(
  'transferTo',
  'The id of the user who gets everything that the deleted user owns.',
);

/** A user as shown by the REST API. `lockedAt` is null unless the user is locked. */
const userText = (user: User | undefined): string => {
  if (user === undefined) throw new InternalError(new Error('The credentials service answered without the user.'));
  const { id, email, name, role, createdAt, lockedAt } = user;
  return (
    `{"id":${quote(id)},"email":${quote(email)},"name":${quote(name)},"role":${quote(roleNameOf(role))},` +
    `"createdAt":${timeText(createdAt)},"lockedAt":${timeText(lockedAt)}}`
  );
};

const userAnswer = ({ user }: { readonly user?: User | undefined }): TextAnswer => dataAnswer(userText(user));

/** Reads one page of users, newest first, each as JSON text. */
export const readUsers = async (
  page: { readonly limit: number; readonly cursor: string },
  principal: Principal,
  { identity }: Pick<Clients, 'identity'>,
): Promise<{ readonly entries: readonly string[]; readonly nextCursor: string }> => {
  const { users, nextCursor } = await identity.users.listUsers(page, { principal });
  return { entries: users.map(userText), nextCursor };
};

/** GET /users/:id, an addition. */
export const getUser: IdentityHandler = async ({ id, principal }, { identity }) =>
  userAnswer(await identity.users.getUser({ userId: id }, { principal }));

/** POST /users, an addition: creates a user with a password. 201 with the user. */
export const createUser: IdentityHandler = async ({ body, headers, principal }, { identity }) => {
  const { email = '', password = '', role = RoleMessage.ROLE_UNSPECIFIED } = readBody(NEW_USER_BODY, body);
  const { user } = await identity.users.createUser({ email, password, role, ...creationKey(headers) }, { principal });
  return dataAnswer(userText(user), { status: 201, headers: { location: `/api/v1/users/${user?.id ?? ''}` } });
};

/** PUT /users/:id, an addition: changes the role of a user. A response of GET can be sent back. */
export const changeUserRole: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  const { role = RoleMessage.ROLE_UNSPECIFIED } = readBody(USER_BODY, body);
  return userAnswer(await identity.users.changeUserRole({ userId: id, role }, { principal }));
};

/** POST /users/:id/lock, an addition: keys, sessions and password are refused from the next request on. */
export const lockUser: IdentityHandler = async ({ id, principal }, { identity }) =>
  userAnswer(await identity.users.lockUser({ userId: id }, { principal }));

/** POST /users/:id/unlock, an addition. */
export const unlockUser: IdentityHandler = async ({ id, principal }, { identity }) =>
  userAnswer(await identity.users.unlockUser({ userId: id }, { principal }));

/** POST /users/:id/sign-out, an addition: ends all sessions of the user; everyone may end their own. */
export const signOutUser: IdentityHandler = async ({ id, principal }, { identity }) => {
  await identity.users.signOutUser({ userId: id }, { principal });
  return dataAnswer('{"success":true}');
};

/** DELETE /users/:id, an addition. The user's objects go to the user in `transferTo`. */
export const deleteUser: IdentityHandler = async ({ id, query, principal }, { identity }) => {
  await identity.users.deleteUser({ userId: id, transferTo: TRANSFER_TO.read(query) }, { principal });
  return DELETED;
};

/** GET /users/:id/keys, an addition: the keys of a user, newest first, without their values. */
export const listUserApiKeys: IdentityHandler = async ({ id, principal }, { identity }) => {
  const { apiKeys } = await identity.users.listUserApiKeys({ userId: id }, { principal });
  return dataAnswer(`[${apiKeys.map(apiKeyText).join(',')}]`);
};

/** DELETE /users/:id/keys/:keyId, an addition: the key fails on the next request. */
export const deleteUserApiKey: IdentityHandler = async ({ id, ref, principal }, { identity }) => {
  await identity.users.deleteUserApiKey({ userId: id, apiKeyId: ref }, { principal });
  return DELETED;
};
