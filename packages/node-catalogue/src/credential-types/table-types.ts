import {
  type CredentialField,
  type CredentialType,
  HOST_LIMIT,
  required,
  secret,
  text,
  type RequestRule,
} from './credential-type';

/** A service that people also run themselves, at the URL in the field `host`. */
const hosted = (
  name: string,
  label: string,
  [address, rule, check]: readonly [address: string, rule: RequestRule, check: string],
  fields: readonly CredentialField[],
): CredentialType => ({
  name,
  label,
  fields: [required('host', 'Address', { help: `Such as ${address}` }), ...fields, ...HOST_LIMIT],
  applied: rule.session === undefined ? 'header' : 'session',
  request: rule,
  test: { kind: 'request', url: `{host}${check}` },
  hosts: [],
  hostField: 'host',
});

const BASEROW = 'https://api.baserow.io';
const NOCODB = 'https://app.nocodb.com';
const token = (name: string, label: string): CredentialField => secret(name, label, { required: true });

/** Services for tables. Names of types and fields are n8n's. */
export const TABLE_TYPES: readonly CredentialType[] = [
  hosted(
    'baserowApi',
    'Baserow',
    [
      BASEROW,
      {
        session: {
          url: '{host}/api/user/token-auth/',
          body: { username: '{username}', password: '{password}' },
          tokenField: 'token',
          scheme: 'JWT',
        },
      },
      '/api/applications/',
    ],
    [required('username', 'User'), token('password', 'Password')],
  ),
  hosted(
    'baserowTokenApi',
    'Baserow database token',
    [BASEROW, { headers: { Authorization: 'Token {token}' } }, '/api/database/tokens/check/'],
    [token('token', 'Database token')],
  ),
  {
    name: 'codaApi',
    label: 'Coda',
    fields: [token('accessToken', 'API token'), ...HOST_LIMIT],
    applied: 'header',
    request: { headers: { Authorization: 'Bearer {accessToken}' } },
    test: { kind: 'request', url: 'https://coda.io/apis/v1/whoami' },
    hosts: ['coda.io'],
  },
  hosted(
    'nocoDb',
    'NocoDB user token',
    [NOCODB, { headers: { 'xc-auth': '{apiToken}' } }, '/api/v1/auth/user/me'],
    [token('apiToken', 'User token')],
  ),
  hosted(
    'nocoDbApiToken',
    'NocoDB API token',
    [NOCODB, { headers: { 'xc-token': '{apiToken}' } }, '/api/v1/auth/user/me'],
    [token('apiToken', 'API token')],
  ),
  {
    name: 'seaTableApi',
    label: 'SeaTable',
    fields: [
      required('domain', 'Address', { help: 'Such as https://cloud.seatable.io' }),
      token('token', 'API token of a base'),
      ...HOST_LIMIT,
    ],
    applied: 'header',
    request: { headers: { Authorization: 'Token {token}' } },
    test: { kind: 'request', url: '{domain}/api/v2.1/dtable/app-access-token/' },
    hosts: [],
    hostField: 'domain',
  },
  {
    name: 'supabaseApi',
    label: 'Supabase',
    fields: [
      text('host', 'Host', { help: 'Such as https://project.supabase.co' }),
      token('serviceRole', 'Service role key'),
      ...HOST_LIMIT,
    ],
    applied: 'header',
    request: { headers: { apikey: '{serviceRole}', Authorization: 'Bearer {serviceRole}' } },
    test: { kind: 'request', url: '{host}/rest/v1/' },
    hosts: ['*.supabase.co'],
    hostField: 'host',
  },
];
