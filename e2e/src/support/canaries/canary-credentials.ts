import { generateKeyPairSync } from 'node:crypto';
import type { Canaries } from './canaries';

/** A credential type as the API shows it. */
export interface TypeText {
  readonly name: string;
  readonly fields: readonly FieldText[];
  readonly applied: string;
  /** Present where HTTP requests name the type itself. */
  readonly request?: object;
}

interface FieldText {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'options' | 'json';
  readonly required: boolean;
  readonly secret: boolean;
  readonly isLogin?: boolean;
  readonly default?: string | number | boolean;
  readonly options?: readonly string[];
}

/** Servers that repeat what they receive. */
export interface Servers {
  readonly echoUrl: string;
  /** Ports by credential type; types without one get a port without a listener. */
  readonly ports: Readonly<Record<string, number>>;
  readonly closedPort: number;
}

type Data = Readonly<Record<string, unknown>>;

const valueOf = ({ type, options = [], default: standard }: FieldText): unknown => {
  switch (type) {
    case 'number':
      return standard ?? 1;
    case 'boolean':
      return standard ?? false;
    case 'options':
      return standard ?? options[0];
    case 'json':
      return {};
    case 'string':
      return standard ?? 'plain';
  }
};

const privateKey = (canaries: Canaries): string => {
  const pem = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const text = pem.toString();
  canaries.add('private key', text.split('\n')[5] ?? '');
  return text;
};

/** Values of these types that only make sense together, beyond what their fields declare. */
const special = ({ name: type, fields }: TypeText, canaries: Canaries, { echoUrl }: Servers): Data => {
  const word = (name: string): string => canaries.plantWord(`${type} ${name}`);
  switch (type) {
    case 'httpHeaderAuth':
      return { name: 'X-Build-Version' };
    case 'httpQueryAuth':
      return { name: 'page' };
    case 'httpCustomAuth':
      return {
        json: {
          headers: { 'X-Region-Name': word('header'), Cookie: `id=${word('cookie')}` },
          qs: { access: word('query') },
          body: { shared: word('body') },
        },
      };
    case 'discordWebhookApi':
      return { webhookUri: `${echoUrl}/api/webhooks/${word('webhook')}` };
    case 'webhookSignature':
      // Only with the scheme standard: see notifications.long.test.ts.
      return { previousSecret: undefined };
    case 'oAuth1Api':
      return { oauthTokenData: { oauth_token: word('token'), oauth_token_secret: word('token secret') } };
    case 'httpMultipleHeadersAuth':
      return { headers: { values: [{ name: 'X-Region-Name', value: word('header') }] } };
    case 'mcpOAuth2Api':
    case 'oAuth2Api':
      return {
        grantType: 'clientCredentials',
        accessTokenUrl: `${echoUrl}/token`,
        clientId: 'client',
        oauthTokenData: undefined,
      };
    case 'googleApi':
      return { privateKey: privateKey(canaries), httpNode: true, accessTokenUrl: `${echoUrl}/token` };
    case 'jwtAuth':
      return { keyType: 'passphrase', algorithm: 'HS256', privateKey: '', publicKey: '' };
    case 'crypto':
      return { signPrivateKey: privateKey(canaries) };
    case 's3':
      return { endpoint: echoUrl, forcePathStyle: true };
    case 'totpApi':
      return { secret: canaries.plantBase32(), label: '' };
    case 'googlePalmApi':
      return { host: echoUrl };
    case 'ollamaApi':
    case 'n8nApi':
      return { baseUrl: echoUrl };
    case 'baserowApi':
    case 'supabaseApi':
      return { host: echoUrl };
    case 'qdrantApi':
      return { qdrantUrl: echoUrl };
    case 'weaviateApi':
      return { weaviate_cloud_endpoint: echoUrl };
    case 'aws':
      return { temporaryCredentials: true, customEndpoints: true, s3Endpoint: echoUrl };
    case 'sftp':
      return { privateKey: '', passphrase: '' };
    case 'sshPassword':
    case 'sshPrivateKey':
      return { hostFingerprint: '' };
    default:
      return fields.some(({ name }) => name === 'oauthTokenData')
        ? { oauthTokenData: { access_token: word('access token'), refresh_token: word('refresh token') } }
        : {};
  }
};

/** Data of a credential with a planted secret in every secret field, and in the user where that may be a key. */
export const canaryData = (kind: TypeText, canaries: Canaries, servers: Servers): Data => {
  const { name: type, fields } = kind;
  const own = special(kind, canaries, servers);
  const entries = fields.map((field): [string, unknown] => {
    const { name, secret, isLogin } = field;
    if (Object.hasOwn(own, name)) return [name, own[name]];
    if (secret || isLogin === true) return [name, canaries.plant(`${type}.${name}`)];
    if (name === 'host') return [name, '127.0.0.1'];
    if (name === 'port') return [name, servers.ports[type] ?? servers.closedPort];
    return [name, valueOf(field)];
  });
  return { ...own, ...Object.fromEntries(entries), hostFingerprint: undefined };
};
