import { Role as RoleMessage, type User } from '@weft/proto/identity';
import { type Principal, type Role, roleOf } from '@weft/service-kit/auth';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import type { Clients } from '../clients';
import { bodyObject, type FieldReader, readFields, refuseFieldErrors } from '../http/body-fields';
import { quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED, type TextAnswer } from '../middleware/write-answer';
import { apiKeyText } from './api-keys';
import type { IdentityHandler } from './identity-handler';

const ROLE_MESSAGES: Readonly<Record<Role, RoleMessage>> = {
  owner: RoleMessage.ROLE_OWNER,
  admin: RoleMessage.ROLE_ADMIN,
  editor: RoleMessage.ROLE_EDITOR,
  viewer: RoleMessage.ROLE_VIEWER,
};

/** Reads a role; a missing or unknown one is an error. */
export const readRole = (fields: FieldReader): RoleMessage => {
  fields.require('role');
  const name = fields.string('role');
  if (name === undefined) return RoleMessage.ROLE_UNSPECIFIED;
  const role = roleOf(name);
  if (role === undefined) fields.error('role', 'must be one of owner, admin, editor, viewer.');
  return role === undefined ? RoleMessage.ROLE_UNSPECIFIED : ROLE_MESSAGES[role];
};

/** A user as the REST API shows it. `lockedAt` is null unless the user is locked. */
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

/** POST /users, an addition: makes a user with a password. 201 with it. */
export const createUser: IdentityHandler = async ({ body, principal }, { identity }) => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('email', 'password', 'role');
  fields.require('email', 'password');
  const request = {
    email: fields.string('email') ?? '',
    password: fields.string('password') ?? '',
    role: readRole(fields),
  };
  refuseFieldErrors(errors);
  const { user } = await identity.users.createUser(request, { principal });
  return dataAnswer(userText(user), { status: 201, headers: { location: `/api/v1/users/${user?.id ?? ''}` } });
};

/** PUT /users/:id, an addition: gives a user another role. The answer of GET may be sent back. */
export const changeUserRole: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('role', 'id', 'email', 'name', 'createdAt', 'lockedAt');
  const role = readRole(fields);
  refuseFieldErrors(errors);
  return userAnswer(await identity.users.changeUserRole({ userId: id, role }, { principal }));
};

/** POST /users/:id/lock, an addition: keys, sessions and password are refused from the next request on. */
export const lockUser: IdentityHandler = async ({ id, principal }, { identity }) =>
  userAnswer(await identity.users.lockUser({ userId: id }, { principal }));

/** POST /users/:id/unlock, an addition. */
export const unlockUser: IdentityHandler = async ({ id, principal }, { identity }) =>
  userAnswer(await identity.users.unlockUser({ userId: id }, { principal }));

/** POST /users/:id/sign-out, an addition: ends all sessions of the user; everybody may end their own. */
export const signOutUser: IdentityHandler = async ({ id, principal }, { identity }) => {
  await identity.users.signOutUser({ userId: id }, { principal });
  return dataAnswer('{"success":true}');
};

/** DELETE /users/:id, an addition. What the user owns goes to the user that `transferTo` names. */
export const deleteUser: IdentityHandler = async ({ id, query, principal }, { identity }) => {
  await identity.users.deleteUser({ userId: id, transferTo: query.get('transferTo') ?? '' }, { principal });
  return DELETED;
};

/** GET /users/:id/keys, an addition: the keys of a user, newest first, without their values. */
export const listUserApiKeys: IdentityHandler = async ({ id, principal }, { identity }) => {
  const { apiKeys } = await identity.users.listUserApiKeys({ userId: id }, { principal });
  return dataAnswer(`[${apiKeys.map(apiKeyText).join(',')}]`);
};

/** DELETE /users/:id/keys/:ref, an addition: the key fails on the very next request. */
export const deleteUserApiKey: IdentityHandler = async ({ id, ref, principal }, { identity }) => {
  await identity.users.deleteUserApiKey({ userId: id, apiKeyId: ref }, { principal });
  return DELETED;
};
