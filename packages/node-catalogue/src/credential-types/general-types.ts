import {
  choice,
  HOST_LIMIT,
  required,
  secret,
  text,
  type AppliedAs,
  type CredentialField,
  type CredentialTest,
  type CredentialType,
} from './credential-type';

const of = (
  name: string,
  label: string,
  applied: AppliedAs,
  fields: readonly CredentialField[],
  test?: CredentialTest,
): CredentialType => ({ name, label, fields, applied, hosts: [], ...(test === undefined ? {} : { test }) });

const ofRequests = (
  name: string,
  label: string,
  applied: AppliedAs,
  fields: readonly CredentialField[],
): CredentialType => of(name, label, applied, [...fields, ...HOST_LIMIT], { kind: 'address' });

/** A login at a server. */
const ofServer = (name: string, label: string, fields: readonly CredentialField[]): CredentialType =>
  of(name, label, 'connection', fields, { kind: 'login' });

const yesOrNo = (name: string, label: string): CredentialField =>
  text(name, label, { type: 'boolean', default: false });

const port = (value?: number): CredentialField =>
  text('port', 'Port', { type: 'number', ...(value === undefined ? { required: true } : { default: value }) });

const host = required('host', 'Host');
const login = required('user', 'User', { isLogin: true });
const userName = text('username', 'User');
const fingerprint = text('hostFingerprint', 'Only key of the host that is trusted');
const privateKey = [secret('privateKey', 'Private key'), secret('passphrase', 'Passphrase of that key')];
const password = secret('password', 'Password');
const requiredPassword = secret('password', 'Password', { required: true });
const tokenData = (help: string): CredentialField =>
  text('oauthTokenData', 'Token', { type: 'json', secret: true, help });

/** Fields of a client of any service, and its tokens. */
const OAUTH2_FIELDS: readonly CredentialField[] = [
  text('grantType', 'Grant', { type: 'options', options: ['authorizationCode', 'clientCredentials', 'pkce'] }),
  text('authUrl', 'Authorisation address'),
  text('accessTokenUrl', 'Token address'),
  text('clientId', 'Client ID'),
  secret('clientSecret', 'Client secret'),
  text('scope', 'Scopes'),
  text('authQueryParameters', 'Parameters of the sign-in page', {
    help: 'Such as access_type=offline&prompt=consent.',
  }),
  choice('authentication', 'Client sends its secret in', ['header', 'body']),
  tokenData('{ access_token, refresh_token } of a login in another system. Leave it empty to sign in here.'),
];

const JWT_ALGORITHMS = [
  ...(['HS', 'RS', 'PS', 'ES'] as const).flatMap((family) => ['256', '384', '512'].map((bits) => `${family}${bits}`)),
];

/** Types that are no single service's. Names of types and fields are n8n's. */
export const GENERAL_TYPES: readonly CredentialType[] = [
  ofRequests('httpHeaderAuth', 'Header', 'header', [
    required('name', 'Name of the header'),
    secret('value', 'Value', { required: true }),
  ]),
  ofRequests('httpQueryAuth', 'Query value', 'query', [
    required('name', 'Name in the query'),
    secret('value', 'Value', { required: true }),
  ]),
  ofRequests('httpBasicAuth', 'Basic', 'basic', [login, requiredPassword]),
  ofRequests('httpDigestAuth', 'Digest', 'digest', [login, requiredPassword]),
  ofRequests('httpCustomAuth', 'Custom', 'custom', [
    text('json', 'JSON', { type: 'json', required: true, secret: true, help: '{ headers, qs, body }' }),
  ]),
  ofRequests('httpSslAuth', 'Client certificate', 'clientCertificate', [
    text('ca', 'Authority (PEM)'),
    text('cert', 'Certificate (PEM)'),
    secret('key', 'Private key (PEM)'),
    secret('passphrase', 'Passphrase of the key'),
  ]),
  ofRequests('oAuth1Api', 'OAuth 1', 'oauth1', [
    required('consumerKey', 'Consumer key'),
    secret('consumerSecret', 'Consumer secret', { required: true }),
    choice('signatureMethod', 'Signature', ['HMAC-SHA1', 'HMAC-SHA256', 'HMAC-SHA512']),
    tokenData('{ oauth_token, oauth_token_secret }'),
  ]),
  ofRequests('httpMultipleHeadersAuth', 'Several headers', 'custom', [
    text('headers', 'Headers', {
      type: 'json',
      required: true,
      secret: true,
      help: '{ values: [{ name, value }] }',
    }),
  ]),
  ofRequests('oAuth2Api', 'OAuth 2', 'oauth2', OAUTH2_FIELDS),
  ofRequests('mcpOAuth2Api', 'OAuth 2 of an MCP server', 'oauth2', OAUTH2_FIELDS),
  of('jwtAuth', 'JWT', 'key', [
    choice('keyType', 'Kind of key', ['passphrase', 'pemKey']),
    secret('secret', 'Passphrase'),
    secret('privateKey', 'Private key (PEM)'),
    text('publicKey', 'Public key (PEM)'),
    text('algorithm', 'Algorithm', { type: 'options', options: JWT_ALGORITHMS, default: 'HS256' }),
  ]),
  of('crypto', 'Keys of the Crypto node', 'key', [
    secret('hmacSecret', 'Secret for HMAC'),
    secret('signPrivateKey', 'Private key for signatures (PEM)'),
    secret('encryptionPassphrase', 'Passphrase for encryption'),
    text('encryptionPublicKey', 'Public key for encryption (PEM)'),
    secret('encryptionPrivateKey', 'Private key for decryption (PEM)'),
  ]),
  of(
    's3',
    'S3',
    'key',
    [
      text('endpoint', 'Endpoint', { required: true, help: 'Such as https://s3.example.com.' }),
      text('region', 'Region', { default: 'us-east-1' }),
      text('accessKeyId', 'Access key ID', { required: true }),
      secret('secretAccessKey', 'Secret access key', { required: true }),
      yesOrNo('forcePathStyle', 'Buckets in the path'),
      yesOrNo('ignoreSSLIssues', 'Accept certificates that cannot be verified'),
    ],
    { kind: 'buckets' },
  ),
  of(
    'aws',
    'AWS',
    'key',
    [
      text('region', 'Region', { default: 'us-east-1' }),
      text('accessKeyId', 'Access key ID', { required: true }),
      secret('secretAccessKey', 'Secret access key', { required: true }),
      yesOrNo('temporaryCredentials', 'Temporary keys'),
      secret('sessionToken', 'Session token'),
      yesOrNo('customEndpoints', 'Custom endpoints'),
      text('s3Endpoint', 'Endpoint of S3'),
    ],
    { kind: 'buckets' },
  ),
  of('totpApi', 'One-time passwords', 'key', [
    secret('secret', 'Key in Base32', { required: true }),
    text('label', 'Label', { help: 'Empty, or issuer:username.' }),
  ]),
  of('webhookSignature', 'Signature of webhooks', 'signature', [
    text('scheme', 'Scheme', {
      type: 'options',
      required: true,
      options: ['github', 'stripe', 'slack', 'standard'],
    }),
    secret('secret', 'Secret', {
      required: true,
      help: 'With the scheme standard: whsec_ and 24 to 64 bytes in Base64.',
    }),
    secret('previousSecret', 'Previous secret', {
      help: 'Only with the scheme standard: notifications are also signed with it, until receivers have the new one.',
    }),
  ]),
  ofServer('smtp', 'SMTP', [
    host,
    port(),
    text('user', 'User'),
    password,
    yesOrNo('secure', 'TLS from the first byte'),
    yesOrNo('disableStartTls', 'No STARTTLS'),
    text('hostName', 'Name for the introduction'),
  ]),
  ofServer('imap', 'IMAP', [
    host,
    port(993),
    text('user', 'User'),
    password,
    yesOrNo('secure', 'TLS from the first byte'),
    yesOrNo('allowUnauthorizedCerts', 'Accept any certificate'),
  ]),
  ofServer('postgres', 'PostgreSQL', [
    host,
    port(5_432),
    text('database', 'Database'),
    text('user', 'User'),
    password,
    choice('ssl', 'TLS', ['disable', 'allow', 'require']),
    yesOrNo('allowUnauthorizedCerts', 'Accept any certificate'),
    secret('sshPassword', 'Password of the SSH tunnel'),
    secret('privateKey', 'Key of the SSH tunnel'),
    secret('passphrase', 'Passphrase of that key'),
  ]),
  ofServer('mySql', 'MySQL', [
    host,
    port(3_306),
    text('database', 'Database'),
    text('user', 'User'),
    password,
    text('connectTimeout', 'Time for the connection, in milliseconds', { type: 'number', default: 10_000 }),
    yesOrNo('ssl', 'TLS'),
    text('caCertificate', 'Authority (PEM)'),
    text('clientCertificate', 'Client certificate (PEM)'),
    secret('clientPrivateKey', 'Key of the client certificate (PEM)'),
    secret('sshPassword', 'Password of the SSH tunnel'),
    secret('privateKey', 'Key of the SSH tunnel'),
    secret('passphrase', 'Passphrase of that key'),
  ]),
  ofServer('mongoDb', 'MongoDB', [
    choice('configurationType', 'Given as', ['values', 'connectionString']),
    secret('connectionString', 'Connection string'),
    text('host', 'Host'),
    port(27_017),
    text('database', 'Database'),
    text('user', 'User'),
    password,
    yesOrNo('tls', 'TLS'),
    text('ca', 'Authority (PEM)'),
    text('cert', 'Client certificate (PEM)'),
    secret('key', 'Key of the client certificate (PEM)'),
    secret('passphrase', 'Passphrase of that key'),
  ]),
  ofServer('sshPassword', 'SSH with a password', [host, port(22), userName, password, fingerprint]),
  ofServer('sshPrivateKey', 'SSH with a key', [host, port(22), userName, ...privateKey, fingerprint]),
  ofServer('sftp', 'SFTP', [host, port(22), userName, password, ...privateKey, fingerprint]),
  ofServer('ftp', 'FTP', [host, port(21), userName, password]),
  ofServer('redis', 'Redis', [
    host,
    port(6_379),
    text('user', 'User'),
    password,
    text('database', 'Number of the database', { type: 'number', default: 0 }),
    yesOrNo('ssl', 'TLS'),
    yesOrNo('disableTlsVerification', 'Accept any certificate'),
  ]),
];
