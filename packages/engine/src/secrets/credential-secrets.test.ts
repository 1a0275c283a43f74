import type { JsonObject } from '@weft/node-catalogue';
import { secretsIn } from './credential-secrets';

describe('the secrets of a credential whose type declares none', () => {
  it.each<[string, JsonObject, string[]]>([
    ['a header', { name: 'X-Own', value: 'a header value' }, ['a header value']],
    [
      'a header with the word for its scheme',
      { name: 'Authorization', value: 'Bearer abcdefgh-1' },
      ['Bearer abcdefgh-1', 'abcdefgh-1'],
    ],
    ['a header that is not a secret', { name: 'User-Agent', value: 'something long' }, []],
    [
      'a user and a password',
      { user: 'somebody-long', password: 'long enough' },
      ['long enough', Buffer.from('somebody-long:long enough').toString('base64')],
    ],
    [
      'a mail server',
      {
        host: 'mail.example.com',
        port: 465,
        user: 'somebody@example.com',
        password: 'mail-password',
        hostName: 'client.example.com',
        secure: true,
      },
      ['mail-password', Buffer.from('somebody@example.com:mail-password').toString('base64')],
    ],
    [
      'OAuth 2',
      {
        grantType: 'authorizationCode',
        accessTokenUrl: 'https://auth.example.com/token',
        authUrl: 'https://auth.example.com',
        clientId: 'the-client',
        clientSecret: 'client-secret',
        scope: 'https://example.com/scope.read',
        authentication: 'header',
        oauthTokenData: {
          access_token: 'access-1',
          refresh_token: 'refresh-1',
          token_type: 'bearer12',
          expires_in: 3_600,
        },
      },
      ['client-secret', 'access-1', 'refresh-1'],
    ],
    [
      'JSON as text',
      {
        json:
          '{"headers":{"Accept":"application/json","X-Api-Key":"custom-key","Content-Type":"text/plain; ' +
          'charset=utf-8"},"qs":{"appid":"0123456789abcdef"},"body":{"note":"a plain sentence"}}',
      },
      ['custom-key', '0123456789abcdef'],
    ],
    [
      'a key pair',
      { keyType: 'pemKey', algorithm: 'RS256-long', publicKey: 'a public key', privateKey: '-----BEGIN\nlines' },
      ['-----BEGIN\nlines'],
    ],
    [
      'an address that lets anyone post',
      { webhookUrl: 'https://hooks.example.com/T0/B0/xyz' },
      ['https://hooks.example.com/T0/B0/xyz'],
    ],
    ['short values', { password: '1234567', apiKey: '' }, []],
    ['values of other types', { token: 12_345_678, key: null, secret: ['listed-secret'], flag: true }, []],
  ])('are found for %s', (_what, data, secrets) => {
    expect(secretsIn('someApi', data)).toEqual(secrets);
  });

  it('are bounded in number and depth', () => {
    expect(
      secretsIn(
        'someApi',
        Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`token${n}`, `long-secret-${n}`])),
      ),
    ).toHaveLength(32);
    expect(
      secretsIn(
        'someApi',
        Array.from({ length: 50 }).reduce<JsonObject>((inner) => ({ inner }), { token: 'deep-secret' }),
      ),
    ).toEqual([]);
  });
});

describe('the secrets of a credential whose type declares them', () => {
  it.each<[string, string, JsonObject, string[]]>([
    ['whatever the header is called', 'httpHeaderAuth', { name: 'X-Api-Version', value: 'a-value' }, ['a-value']],
    ['of four characters and more', 'httpBearerAuth', { token: 'ab-d' }, ['ab-d']],
    ['but not shorter', 'httpBearerAuth', { token: 'a-c' }, []],
    ['but no short word, which data contains by chance', 'httpBearerAuth', { token: 'secret' }, []],
    ['and a word of eight letters', 'httpBearerAuth', { token: 'Passwort' }, ['Passwort']],
    ['and letters that are no word', 'httpBearerAuth', { token: 'xQzTrp' }, ['xQzTrp']],
    [
      'also a key in place of a user',
      'httpBasicAuth',
      { user: 'sk_live_4711', password: 'x' },
      ['sk_live_4711', Buffer.from('sk_live_4711:x').toString('base64')],
    ],
    [
      'but no email in its place',
      'httpBasicAuth',
      { user: 'somebody@example.com', password: 'secret!' },
      ['secret!', Buffer.from('somebody@example.com:secret!').toString('base64')],
    ],
    [
      'and all that a custom authentication adds, whatever it is called, and cookies without their names',
      'httpCustomAuth',
      {
        json: {
          headers: { 'X-Region-Name': 'hushhush', Cookie: 'id=cookie-value; b=other-value', Accept: 'text/plain' },
          qs: { page: 'query-value' },
          body: { mode: 'body-value', callback: 'https://a.example' },
        },
      },
      ['hushhush', 'id=cookie-value; b=other-value', 'cookie-value', 'other-value', 'query-value', 'body-value'],
    ],
    [
      'and the tokens next to them, but no settings',
      'oAuth2Api',
      { clientId: 'a1b2c3d4e5f6g7h8i9', clientSecret: 'hu-sh', oauthTokenData: { access_token: 'access-1' } },
      ['hu-sh', 'access-1'],
    ],
  ])('are those fields, %s', (_what, type, data, secrets) => {
    expect(secretsIn(type, data)).toEqual(secrets);
  });
});

describe('the secrets of a credential whose secret is an address', () => {
  it('are also its path and the last part of it, which a server sees without the host', () => {
    const webhookUri = 'https://discord.com/api/webhooks/123456789/the-token-of-a-channel?wait=true';
    expect(secretsIn('discordWebhookApi', { webhookUri })).toEqual([
      webhookUri,
      'api/webhooks/123456789/the-token-of-a-channel?wait=true',
      'api/webhooks/123456789/the-token-of-a-channel',
      'the-token-of-a-channel',
    ]);
  });
});
