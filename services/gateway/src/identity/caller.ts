import type { CallerProject, GetCallerResponse } from '@weft/proto/identity';
import { InternalError } from '@weft/service-kit/errors';
import { permissionsOf } from '@weft/service-kit/auth';
import { roleNameOf } from '@weft/service-kit/identity';
import { RELEASE } from '@weft/service-kit/lifecycle';
import type { ApiHandler } from '../handlers/api-handler';
import { quote, timeText } from '../http/json-text';
import { dataAnswer } from '../middleware/responses/write-answer';
import { BOOLEAN, component, described, ID, listOf, orNull, record, type Schema, TEXT, TIME } from '../openapi/schema';
import { MEMBER_ROLE_SHOWN } from './projects';
import { SHOWN_ROLE } from './users';

const RELEASE_FIELD: Schema = described('Major, minor and patch.', TEXT);

/** Schema of the response to GET /version. */
export const VERSION = component(
  'Version',
  record({ release: RELEASE_FIELD, commit: described('`unknown` if the build did not set it.', TEXT) }),
);

const CALLER_KEY = component(
  'CallerKey',
  record({
    id: ID,
    name: TEXT,
    expiresAt: orNull(TIME),
    scopes: described('Null: the key may do what its user may.', orNull(listOf(TEXT))),
  }),
);

const CALLER_PROJECT = component(
  'CallerProject',
  record({ id: ID, name: TEXT, role: MEMBER_ROLE_SHOWN, closed: BOOLEAN }),
);

/** Schema of the response to GET /me. */
export const CALLER = component(
  'Caller',
  record({
    user: component('CallerUser', record({ id: ID, email: TEXT, name: TEXT, role: SHOWN_ROLE })),
    key: described('The key of this request; null if it used none.', orNull(CALLER_KEY)),
    projects: listOf(CALLER_PROJECT),
    permissions: described('Permissions of the role and the key, such as `workflows:write`.', listOf(TEXT)),
    release: RELEASE_FIELD,
  }),
);

const keyText = ({ apiKey }: GetCallerResponse): string => {
  if (apiKey === undefined) return 'null';
  const { id, name, expiresAt, scopes } = apiKey;
  return (
    `{"id":${quote(id)},"name":${quote(name)},"expiresAt":${timeText(expiresAt)},` +
    `"scopes":${scopes.length === 0 ? 'null' : JSON.stringify(scopes)}}`
  );
};

const projectText = ({ id, name, role, closed }: CallerProject): string =>
  `{"id":${quote(id)},"name":${quote(name)},"role":${quote(roleNameOf(role))},"closed":${closed}}`;

/** GET /me, an addition: the caller's user, key and projects, for any key. */
export const getCaller: ApiHandler = async ({ principal }, { identity }) => {
  const { keyId } = principal;
  const found = await identity.users.getCaller(keyId === undefined ? {} : { apiKeyId: keyId }, { principal });
  if (found.user === undefined) throw new InternalError(new Error('The credentials service omitted the caller.'));
  const { id, email, name, role } = found.user;
  return dataAnswer(
    `{"user":{"id":${quote(id)},"email":${quote(email)},"name":${quote(name)},"role":${quote(roleNameOf(role))}},` +
      `"key":${keyText(found)},"projects":[${found.projects.map(projectText).join(',')}],` +
      `"permissions":${JSON.stringify(permissionsOf(principal))},"release":${quote(RELEASE)}}`,
  );
};

/** GET /version, an addition: release and commit of the gateway, for any key. */
export const getVersion: ApiHandler = ({ commit }) =>
  Promise.resolve(dataAnswer(`{"release":${quote(RELEASE)},"commit":${quote(commit)}}`));
