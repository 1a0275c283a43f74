import { createGuardedFetch } from './guarded-fetch';

describe('calls to an identity provider', () => {
  const called: string[] = [];
  beforeEach(() => {
    called.length = 0;
    jest.spyOn(globalThis, 'fetch').mockImplementation((url) => {
      called.push(url instanceof Request ? url.url : String(url));
      return Promise.resolve(new Response('{}'));
    });
  });
  afterEach(() => jest.restoreAllMocks());

  const METADATA = {
    token_endpoint: 'https://token.example/token',
    jwks_uri: 'https://keys.example:8443/keys',
    userinfo_endpoint: 'http://plain.example/me',
  };
  const call = (issuer: string, url: string, metadata: typeof METADATA | undefined) =>
    createGuardedFetch(new URL(issuer), () => metadata)(url, {
      method: 'GET',
      headers: {},
      body: undefined,
      redirect: 'manual',
    });

  it.each([
    ['the issuer', 'https://id.example', 'https://id.example/keys', undefined],
    ['an issuer on this machine', 'http://localhost:9', 'http://localhost:9/keys', METADATA],
    ['an https endpoint of its metadata', 'https://id.example', 'https://token.example/token', METADATA],
    ['an endpoint on another port', 'https://id.example', 'https://keys.example:8443/keys', METADATA],
  ])('reach %s', async (_, issuer, url, metadata) => {
    expect((await call(issuer, url, metadata)).status).toBe(200);
    expect(called).toEqual([url]);
  });

  it.each([
    ['a host before its metadata is read', 'https://id.example', 'https://token.example/token', undefined],
    ['a host that the metadata does not name', 'https://id.example', 'https://other.example/token', METADATA],
    ['another port of such a host', 'https://id.example', 'https://keys.example/keys', METADATA],
    ['an http endpoint of its metadata', 'https://id.example', 'http://plain.example/me', METADATA],
    ['a host that an unencrypted issuer names', 'http://localhost:9', 'https://token.example/token', METADATA],
    ['the issuer without encryption', 'https://id.example', 'http://id.example/keys', METADATA],
  ])('are refused to %s', async (_, issuer, url, metadata) => {
    await expect(call(issuer, url, metadata)).rejects.toThrow('is neither the issuer nor an https endpoint');
    expect(called).toEqual([]);
  });
});
