import {
  type CredentialField,
  type CredentialType,
  HOST_LIMIT,
  hosted,
  required,
  secret,
  text,
} from './credential-type';

const address = (field: string, example: string): CredentialField =>
  required(field, 'Address', { help: `Such as ${example}` });
const BASEROW = address('host', 'https://api.baserow.io');
const NOCODB = address('host', 'https://app.nocodb.com');
const NOCODB_USER = ['host', '/api/v1/auth/user/me'] as const;
const token = (name: string, label: string): CredentialField => secret(name, label, { required: true });

/** Services for tables. Names of types and fields are n8n's. */
export const TABLE_TYPES: readonly CredentialType[] = [
  hosted(
    'baserowApi',
    'Baserow',
    ['host', '/api/applications/'],
    'session',
    {
      session: {
        url: '{host}/api/user/token-auth/',
        body: { username: '{username}', password: '{password}' },
        tokenField: 'token',
        scheme: 'JWT',
      },
    },
    [BASEROW, required('username', 'User'), token('password', 'Password')],
  ),
  hosted(
    'baserowTokenApi',
    'Baserow database token',
    ['host', '/api/database/tokens/check/'],
    'header',
    { headers: { Authorization: 'Token {token}' } },
    [BASEROW, token('token', 'Database token')],
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
  hosted('nocoDb', 'NocoDB user token', NOCODB_USER, 'header', { headers: { 'xc-auth': '{apiToken}' } }, [
    NOCODB,
    token('apiToken', 'User token'),
  ]),
  hosted('nocoDbApiToken', 'NocoDB API token', NOCODB_USER, 'header', { headers: { 'xc-token': '{apiToken}' } }, [
    NOCODB,
    token('apiToken', 'API token'),
  ]),
  hosted(
    'seaTableApi',
    'SeaTable',
    ['domain', '/api/v2.1/dtable/app-access-token/'],
    'header',
    { headers: { Authorization: 'Token {token}' } },
    [address('domain', 'https://cloud.seatable.io'), token('token', 'API token of a base')],
  ),
  {
    ...hosted(
      'supabaseApi',
      'Supabase',
      ['host', '/rest/v1/'],
      'header',
      { headers: { apikey: '{serviceRole}', Authorization: 'Bearer {serviceRole}' } },
      [text('host', 'Host', { help: 'Such as https://project.supabase.co' }), token('serviceRole', 'Service role key')],
    ),
    hosts: ['*.supabase.co'],
  },
];
