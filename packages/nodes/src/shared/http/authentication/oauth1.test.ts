import { oauth1Exchange, oauth1Header, oauth1Keys } from './oauth1';

const keys = oauth1Keys({
  consumerKey: 'xvz1evFS4wEEPTGEFPHBog',
  consumerSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
  signatureMethod: 'HMAC-SHA1',
  oauthTokenData: {
    oauth_token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
    oauth_token_secret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
  },
});
const request = {
  method: 'post',
  url: 'https://api.twitter.com/1.1/statuses/update.json?include_entities=true',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']] as const,
  body: Buffer.from('status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21'),
};

describe('a signature of OAuth 1', () => {
  it('matches the published example', () => {
    const header = oauth1Header(keys, request, 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg', 1_318_622_958);
    expect(header).toMatch(
      /^OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", .*oauth_version="1\.0", oauth_signature="/,
    );
    expect(header).toContain('oauth_signature="hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D"');
  });

  it('leaves bodies other than forms unsigned, and covers arrays in order', () => {
    const sign = (over: object): string => oauth1Header(keys, { ...request, ...over }, 'n', 1);
    const json = { headers: [['content-type', 'application/json']] as const };
    expect(sign({ ...json, body: Buffer.from('a=1') })).toBe(sign({ ...json, body: Buffer.from('a=2') }));
    expect(sign({ body: Buffer.from('a=1') })).not.toBe(sign({ body: Buffer.from('a=2') }));
    expect(sign({ url: 'https://x.example/?a=2&a=1&b=3' })).toBe(sign({ url: 'https://x.example/?b=3&a=1&a=2' }));
  });

  it.each([
    ['HMAC-SHA256', 44],
    ['HMAC-SHA512', 88],
  ])('supports %s', (signatureMethod, length) => {
    const other = oauth1Keys({ consumerKey: 'k', consumerSecret: 's', signatureMethod });
    const header = oauth1Header(other, request, 'n', 1);
    expect(decodeURIComponent(/oauth_signature="([^"]+)"/.exec(header)?.[1] ?? '')).toHaveLength(length);
    expect(header).not.toContain('oauth_token=');
  });

  it('is sent with every request, at the time of the run', async () => {
    const response = { status: 200, statusText: '', headers: {}, body: new Uint8Array(), url: request.url };
    const sent: unknown[] = [];
    await oauth1Exchange(
      keys,
      { now: () => 5_999 },
      () => 'nonce',
    )({ ...request, timeoutMs: 1, followRedirects: false }, async (one) => {
      sent.push(one.headers?.at(-1));
      return response;
    });
    expect(sent).toEqual([['Authorization', expect.stringMatching(/oauth_nonce="nonce".*oauth_timestamp="5"/)]]);
  });
});
