import type { JsonObject } from '@weft/node-catalogue';
import { REQUEST_SERVICES } from '../../../http-request/descriptor-services';
import { applyCredential } from './apply-credential';
import { CREDENTIAL_RULES } from './credential-rules';

const RUN = { now: () => 0, hide: () => undefined };

describe('a credential', () => {
  it.each<[string, JsonObject, object]>([
    [
      'httpBasicAuth',
      { user: 'u', password: 'pä' },
      { headers: [['Authorization', `Basic ${Buffer.from('u:pä').toString('base64')}`]] },
    ],
    ['httpHeaderAuth', { name: 'X-Key', value: 'secret' }, { headers: [['X-Key', 'secret']] }],
    ['httpQueryAuth', { name: 'key', value: 'secret' }, { query: [['key', 'secret']] }],
    ['httpBearerAuth', { token: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    [
      'httpCustomAuth',
      { json: '{"headers":{"a":"1"},"qs":{"b":"2"},"body":{"c":"3"}}' },
      { headers: [['a', '1']], query: [['b', '2']], body: { c: '3' } },
    ],
    [
      'httpMultipleHeadersAuth',
      { headers: { values: [{ name: 'a', value: '1' }, { name: 'b', value: '2' }, { name: '' }] } },
      {
        headers: [
          ['a', '1'],
          ['b', '2'],
        ],
      },
    ],
    ['githubApi', { accessToken: 'secret' }, { headers: [['Authorization', 'token secret']] }],
    ['slackApi', { accessToken: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    [
      'notionApi',
      { apiKey: 'secret' },
      { headers: [['Authorization', 'Bearer secret']], fallbackHeaders: [['Notion-Version', '2022-06-28']] },
    ],
    ['airtableTokenApi', { accessToken: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['openAiApi', { apiKey: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    [
      'openAiApi',
      { apiKey: 'secret', organizationId: 'org' },
      {
        headers: [
          ['Authorization', 'Bearer secret'],
          ['OpenAI-Organization', 'org'],
        ],
      },
    ],
    [
      'anthropicApi',
      { apiKey: 'secret' },
      { headers: [['x-api-key', 'secret']], fallbackHeaders: [['anthropic-version', '2023-06-01']] },
    ],
    ['sendGridApi', { apiKey: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['stripeApi', { secretKey: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['discordBotApi', { botToken: 'secret' }, { headers: [['Authorization', 'Bot secret']] }],
    ['gitlabApi', { accessToken: 'secret' }, { headers: [['Private-Token', 'secret']] }],
    ['linearApi', { apiKey: 'secret' }, { headers: [['Authorization', 'secret']] }],
    ['hubspotAppToken', { appToken: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    [
      'jiraSoftwareCloudApi',
      { email: 'a@b.c', apiToken: 'secret', domain: 'x' },
      { headers: [['Authorization', `Basic ${Buffer.from('a@b.c:secret').toString('base64')}`]] },
    ],
    ['mistralCloudApi', { apiKey: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['groqApi', { apiKey: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['pineconeApi', { apiKey: 'secret' }, { headers: [['Api-Key', 'secret']] }],
    ['qdrantApi', { apiKey: 'secret', qdrantUrl: 'https://q.example' }, { headers: [['api-key', 'secret']] }],
    [
      'trelloApi',
      { apiKey: 'k', apiToken: 't' },
      {
        query: [
          ['key', 'k'],
          ['token', 't'],
        ],
      },
    ],
    [
      'supabaseApi',
      { serviceRole: 'secret' },
      {
        headers: [
          ['apikey', 'secret'],
          ['Authorization', 'Bearer secret'],
        ],
      },
    ],
    ['nocoDb', { host: 'https://a.b', apiToken: 'secret' }, { headers: [['xc-auth', 'secret']] }],
    ['nocoDbApiToken', { host: 'https://a.b', apiToken: 'secret' }, { headers: [['xc-token', 'secret']] }],
    ['codaApi', { accessToken: 'secret' }, { headers: [['Authorization', 'Bearer secret']] }],
    ['seaTableApi', { domain: 'https://a.b', token: 'secret' }, { headers: [['Authorization', 'Token secret']] }],
    ['baserowTokenApi', { host: 'https://a.b', token: 'secret' }, { headers: [['Authorization', 'Token secret']] }],
    ['baserowApi', { host: 'https://a.b', username: 'u', password: 'p' }, { exchange: expect.any(Function) }],
    ['telegramApi', { accessToken: '12:secret/' }, { headers: [], pathPrefix: '/bot12:secret%2F' }],
    [
      'discordWebhookApi',
      { webhookUri: 'https://other.example/a/1/secret/' },
      { headers: [], pathPrefix: '/a/1/secret' },
    ],
    [
      'twilioApi',
      { authType: 'authToken', accountSid: 'a', authToken: 'b' },
      { headers: [['Authorization', `Basic ${Buffer.from('a:b').toString('base64')}`]] },
    ],
    [
      'twilioApi',
      { authType: 'apiKey', accountSid: 'a', apiKeySid: 'c', apiKeySecret: 'd' },
      { headers: [['Authorization', `Basic ${Buffer.from('c:d').toString('base64')}`]] },
    ],
  ])('of type %s adds what its service requires', (type, data, parts) => {
    expect(applyCredential(type, data, RUN)).toMatchObject(parts);
  });

  it.each<[string, JsonObject, string]>([
    ['httpDigestAuth', {}, 'httpDigestAuth'],
    ['oAuth2Api', {}, 'has no token'],
    ['oAuth2Api', { grantType: 'clientCredentials' }, 'accessTokenUrl'],
    ['oAuth1Api', {}, 'consumerKey'],
    ['oAuth1Api', { consumerKey: 'k', signatureMethod: 'PLAINTEXT' }, 'PLAINTEXT'],
    ['wordpressApi', { username: 'u' }, 'password'],
    ['twilioApi', { authType: 'apiKey', accountSid: 'a', authToken: 'b' }, 'apiKeySid'],
    ['discordWebhookApi', { webhookUri: 'secret' }, 'not a URL'],
    ['gmailOAuth2', {}, 'has no token'],
    ['googleApi', { privateKey: 'secret' }, 'email'],
    ['googleApi', { email: 'a@b.c' }, 'privateKey'],
    ['googleApi', { email: 'a@b.c', privateKey: 'secret' }, 'not set up for HTTP requests'],
    ['baserowApi', { host: 'a.b', username: 'u', password: 'secret' }, 'has no URL'],
    ['constructor', {}, 'constructor'],
    ['githubApi', {}, 'accessToken'],
    ['httpHeaderAuth', { value: 'secret' }, 'name'],
    ['httpCustomAuth', { json: '[]' }, 'not an object'],
  ])('of type %s that cannot be used reports why, without its values', (type, data, message) => {
    expect(() => applyCredential(type, data, RUN)).toThrow(message);
  });

  it.each(REQUEST_SERVICES.map(({ value }) => [String(value)] as const))(
    'of type %s can be used if the catalogue lists it',
    (type) => {
      const { required = [], basic = [] } = CREDENTIAL_RULES.get(type) ?? {};
      const anything = Object.fromEntries([...required, ...basic].map((name) => [name, 'https://example.com/x']));
      const more = { oauthTokenData: { access_token: 'x' }, httpNode: true, scopes: 'x' };
      expect(() => applyCredential(type, { ...anything, ...more }, RUN)).not.toThrow();
    },
  );

  it('is limited to the hosts that its owner lists', () => {
    const limited = (more: JsonObject) =>
      applyCredential('httpBearerAuth', { token: 'secret', ...more }, RUN).allowedHosts;
    expect(limited({})).toBeUndefined();
    expect(limited({ allowedHttpRequestDomains: 'all', allowedDomains: 'x' })).toBeUndefined();
    expect(limited({ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com, *.api.io' })).toEqual([
      'example.com',
      '*.api.io',
    ]);
    expect(() => limited({ allowedHttpRequestDomains: 'domains', allowedDomains: '   ' })).toThrow(
      'No allowed domains specified',
    );
    expect(() => limited({ allowedHttpRequestDomains: 'none' })).toThrow('prevent use within an HTTP Request node');
  });

  it('lists its secrets, including those that it builds, but not its public fields', () => {
    const { secrets } = applyCredential('httpBasicAuth', { user: 'someone', password: 'hunter22' }, RUN);
    const token = Buffer.from('someone:hunter22').toString('base64');
    expect(secrets()).toEqual(['hunter22', `Basic ${token}`, token]);
    const webhookUri = 'https://discord.com/api/webhooks/1/secret';
    expect(applyCredential('discordWebhookApi', { webhookUri }, RUN).secrets()).toEqual(
      expect.arrayContaining([webhookUri, 'secret']),
    );
  });
});
