import { isExpiring, oauth2ClientOf, oauth2TokensOf } from '.';

describe('the OAuth 2 client of a credential', () => {
  it('takes from the service what the credential leaves out', () => {
    expect(oauth2ClientOf('googleSheetsOAuth2Api', { clientId: 'c', scope: '' })).toMatchObject({
      grant: 'login',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      clientId: 'c',
      clientSecret: '',
      clientIn: 'body',
      usesPkce: true,
      query: [
        ['access_type', 'offline'],
        ['prompt', 'consent'],
      ],
    });
  });

  it('takes from the credential what it sets', () => {
    const data = {
      scope: 'a b',
      accessTokenUrl: 'https://proxy.example.test/token',
      authentication: 'header',
      authQueryParameters: 'hd=example.test',
    };
    const client = oauth2ClientOf('gmailOAuth2', data);
    expect(client).toMatchObject({ scope: 'a b', tokenUrl: 'https://proxy.example.test/token', clientIn: 'header' });
    expect(client?.query.at(-1)).toEqual(['hd', 'example.test']);
  });

  it.each(['a b', 'a,b', 'a, b'])('separates scopes as the service expects: %s', (scope) => {
    expect(oauth2ClientOf('slackOAuth2Api', { scope })).toMatchObject({ scope: 'a,b', scopeParameter: 'user_scope' });
  });

  it('does not exist for types that are not of OAuth 2', () => {
    expect(oauth2ClientOf('httpBearerAuth', {})).toBeUndefined();
    expect(oauth2ClientOf('constructor', {})).toBeUndefined();
  });
});

describe('the tokens of a credential', () => {
  it.each([{}, { oauthTokenData: 'no JSON' }, { oauthTokenData: [] }, { oauthTokenData: { access_token: '' } }])(
    'are missing in %j',
    (data) => expect(oauth2TokensOf(data)).toBeUndefined(),
  );

  it('are read from an object or its text', () => {
    const tokens = { access_token: 'a', refresh_token: 'r', issued_at: 10, expires_at: 20 };
    for (const oauthTokenData of [tokens, JSON.stringify(tokens)])
      expect(oauth2TokensOf({ oauthTokenData })).toEqual({
        accessToken: 'a',
        refreshToken: 'r',
        issuedAt: 10_000,
        expiresAt: 20_000,
      });
  });

  it('expire a minute early, or after half of a shorter life, or never', () => {
    const tokens = { accessToken: 'a', refreshToken: undefined, issuedAt: 0, expiresAt: 3_600_000 };
    expect([isExpiring(tokens, 3_539_999), isExpiring(tokens, 3_540_000)]).toEqual([false, true]);
    const short = { ...tokens, expiresAt: 60_000 };
    expect([isExpiring(short, 29_999), isExpiring(short, 30_000)]).toEqual([false, true]);
    expect(isExpiring({ ...tokens, expiresAt: undefined }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
