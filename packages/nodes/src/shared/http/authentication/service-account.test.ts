import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type Answer, type EchoServer, serveEcho } from '@weft/outbound/testing';
import { runKind } from '../../../testing/cases/run-kind';
import { type NodeRun, runNode } from '../../../http-request/testing/run-node';
import { parseJsonText } from '../response/parse-json-text';
import { applyCredential } from './apply-credential';
import type { ExchangeRun } from './exchange';
import { serviceAccountExchange, serviceAccountOf } from './service-account';
import { TokenCache } from './token-cache';

const keyPair = (modulusLength: number): { readonly publicKey: string; readonly privateKey: string } =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const KEYS = keyPair(2_048);
/** All parts of an error that a user can see. */
const textOf = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.message} ${JSON.stringify(thrown)}` : '';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

describe('a service account', () => {
  let server: EchoServer;
  let client: OutboundClient;
  /** Replaces the responses of the token endpoint. */
  let answerToken: Answer | undefined;
  /** The token that the API accepts. */
  let valid: string;
  let issued = 0;

  /** The claims of a token request, whose signature must be right. */
  const claimsOf = (body: string): JsonObject => {
    const form = new URLSearchParams(body);
    expect([...form.keys()]).toEqual(['grant_type', 'assertion']);
    expect(form.get('grant_type')).toBe(GRANT);
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const isRight = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      createPublicKey(KEYS.publicKey),
      Buffer.from(signature, 'base64url'),
    );
    const [header, content] = [head, claims].map((part): Json =>
      parseJsonText(Buffer.from(part, 'base64url').toString()),
    );
    expect({ header, isRight }).toEqual({ header: { alg: 'RS256', typ: 'JWT' }, isRight: true });
    return content !== undefined && isJsonObject(content) ? content : {};
  };

  beforeAll(async () => {
    server = await serveEcho((seen, response) => {
      if (seen.path === '/token') {
        if (answerToken !== undefined) return answerToken(seen, response);
        claimsOf(seen.body);
        issued += 1;
        valid = `token-${issued}-of-account`;
        return response.end(JSON.stringify({ access_token: valid, expires_in: 3_600, token_type: 'Bearer' }));
      }
      const isRight = seen.headers.authorization === `Bearer ${valid}`;
      return response
        .writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
        .end(isRight ? '{"ok":true}' : `{"message":"no such token: ${seen.headers.authorization ?? ''}"}`);
    });
    client = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] });
  });
  beforeEach(() => {
    server.seen.length = 0;
    answerToken = undefined;
    valid = 'no token is valid yet';
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });

  // Tokens are cached by the credential's data, so each test uses different data.
  let accounts = 0;
  const credential = (over: JsonObject = {}): JsonObject => {
    accounts += 1;
    return {
      email: `account-${accounts}@project.example`,
      privateKey: KEYS.privateKey,
      httpNode: true,
      scopes: 'https://scope.example/one, https://scope.example/two',
      accessTokenUrl: `${server.url}/token`,
      ...over,
    };
  };
  const run = (data: JsonObject, over: Partial<NodeRun> = {}) =>
    runNode(client, {
      parameters: {
        url: `${server.url}/api`,
        authentication: 'predefinedCredentialType',
        nodeCredentialType: 'googleApi',
      },
      credentials: { googleApi: data },
      ...over,
    });
  const paths = (): string[] => server.seen.map(({ path }) => path);
  /** Sends one request with separate tokens, or with those of the cache. */
  const send = async (
    data: JsonObject,
    over: Partial<ExchangeRun> = {},
    tokens = new TokenCache(10),
    url = `${server.url}/api`,
  ): Promise<number> => {
    const run: ExchangeRun = { now: () => 0, hide: () => undefined, ...over };
    const account = serviceAccountOf('googleApi', { tokenUrl: 'https://token.example' }, data, run.scopes);
    const exchange = serviceAccountExchange(account, run, tokens);
    const request = { method: 'GET', url, timeoutMs: 5_000, followRedirects: true };
    return (await exchange(request, (one) => client.request(one))).status;
  };

  it('signs a JWT for its scopes, exchanges it for a token, and caches the token', async () => {
    const data = credential();
    for (let n = 0; n < 3; n += 1) expect((await run(data))[0]?.json).toEqual({ ok: true });
    expect(paths()).toEqual(['/token', '/api', '/api', '/api']);
    // The clock of the node stands at 0.
    expect(claimsOf(server.seen[0]?.body ?? '')).toEqual({
      iss: data['email'],
      scope: 'https://scope.example/one https://scope.example/two',
      aud: `${server.url}/token`,
      iat: 0,
      exp: 3_600,
    });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('asks for a token that is valid for an hour from now on', async () => {
    await send(credential(), { now: () => 1_700_000_000_999 });
    expect(claimsOf(server.seen[0]?.body ?? '')).toMatchObject({ iat: 1_700_000_000, exp: 1_700_003_600 });
  });

  it('acts for a user only if the credential says so', async () => {
    await send(credential({ inpersonate: true, delegatedEmail: ' user@project.example ' }));
    await send(credential({ inpersonate: false, delegatedEmail: 'user@project.example' }));
    const claims = server.seen.filter(({ path }) => path === '/token').map(({ body }) => claimsOf(body));
    expect(claims.map(({ sub }) => sub)).toEqual(['user@project.example', undefined]);
    await expect(send(credential({ inpersonate: true }))).rejects.toThrow(/has no "delegatedEmail"/);
  });

  it('asks for the scopes of an app instead, with separate tokens', async () => {
    const data = credential();
    const tokens = new TokenCache(10);
    await send(data, {}, tokens);
    await send(data, { scopes: ['https://scope.example/app'] }, tokens);
    expect(paths()).toEqual(['/token', '/api', '/token', '/api']);
    expect(claimsOf(server.seen[2]?.body ?? '')).toMatchObject({ scope: 'https://scope.example/app' });
  });

  it.each<[string, JsonObject]>([
    ['is not set up for HTTP requests', { httpNode: false }],
    ['has no scopes', { scopes: ' , ' }],
  ])('is refused in HTTP Request if it %s, and works in apps', async (_what, over) => {
    await expect(run(credential(over))).rejects.toThrow(/googleApi is not set up for HTTP requests/);
    expect(paths()).toEqual([]);
    expect(await send(credential(over), { scopes: ['a'] })).toBe(200);
  });

  it.each<[string, (pem: string) => string]>([
    ['with \\n in place of line ends', (pem) => pem.replaceAll('\n', '\\n')],
    ['as a JSON string', (pem) => JSON.stringify(pem)],
    ['on one line', (pem) => pem.replaceAll('\n', '')],
    ['on one line with spaces', (pem) => pem.replaceAll('\n', ' ')],
    ['with line ends of Windows', (pem) => pem.replaceAll('\n', '\r\n')],
    [
      'with the rest of the file of the account',
      (pem) => JSON.stringify({ type: 'service_account', private_key: pem }),
    ],
  ])('accepts a key %s', async (_how, change) => {
    expect(await send(credential({ privateKey: change(KEYS.privateKey) }))).toBe(200);
  });

  it('accepts a key in the form PKCS 1', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    answerToken = (_seen, response) => response.end('{"access_token":"of PKCS 1"}');
    valid = 'of PKCS 1';
    expect(await send(credential({ privateKey }))).toBe(200);
  });

  const ec = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  it.each<[string, string, RegExp]>([
    ['the id of the key', '0123456789abcdef'.repeat(4), /is not a private key in PEM form/],
    ['a cut key', KEYS.privateKey.slice(0, 900), /is not a private key in PEM form/],
    ['a key with a gap', KEYS.privateKey.replace(/\n.{64}/, ''), /is not a private key in PEM form/],
    ['a public key', KEYS.publicKey, /is not a private key in PEM form/],
    ['a key of another kind', ec, /is not an RSA key of 2048 to 4096 bits/],
    ['a weak key', keyPair(1_024).privateKey, /is not an RSA key of 2048 to 4096 bits/],
    ['60,000 characters without an end', `-----BEGIN PRIVATE KEY-----${'\\n'.repeat(30_000)}`, /in PEM form/],
  ])('refuses %s as its key, without repeating it', async (_what, privateKey, message) => {
    const thrown: unknown = await run(credential({ privateKey })).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ message: expect.stringMatching(message) });
    expect(textOf(thrown)).toContain('private_key');
    expect(textOf(thrown)).not.toContain(privateKey.slice(30, 60));
    expect(paths()).toEqual([]);
  });

  it('asks for another token a minute before the current one expires', async () => {
    let now = 0;
    const tokens = new TokenCache(10);
    const data = credential();
    for (now of [0, 3_539_999, 3_540_000]) await send(data, { now: () => now }, tokens);
    expect(paths()).toEqual(['/token', '/api', '/api', '/token', '/api']);
  });

  it('asks for another token once if the current one is refused', async () => {
    const data = credential();
    await run(data);
    valid = 'revoked';
    expect((await run(data))[0]?.json).toEqual({ ok: true });
    expect(paths()).toEqual(['/token', '/api', '/api', '/token', '/api']);
    server.seen.length = 0;
    answerToken = (_seen, response) => response.end('{"access_token":"never accepted"}');
    valid = 'out of reach';
    await expect(run(data)).rejects.toMatchObject({ context: { httpCode: '401' } });
    expect(paths()).toEqual(['/api', '/token', '/api']);
  });

  it('fetches one token for many requests at once', async () => {
    const items = Array.from({ length: 10 }, () => ({ json: {} }));
    expect(await run(credential(), { items })).toHaveLength(10);
    expect(paths().filter((path) => path === '/token')).toHaveLength(1);
  });

  it('reports why the service refuses it, and tries again the next time', async () => {
    const data = credential();
    answerToken = (_seen, response) =>
      response.writeHead(400).end('{"error":"invalid_grant","error_description":"Invalid JWT Signature."}');
    await expect(run(data)).rejects.toMatchObject({
      message: expect.stringContaining('invalid_grant: Invalid JWT Signature.'),
      description: expect.stringContaining('Check the email and the private key'),
    });
    answerToken = undefined;
    expect(await run(data)).toHaveLength(1);
  });

  it('sends its key nowhere, and hides it', async () => {
    const data = credential();
    await run(data);
    await run(data);
    expect(paths()).toEqual(['/token', '/api', '/api']);
    for (const line of KEYS.privateKey.trim().split('\n').slice(1, -1))
      expect(JSON.stringify(server.seen)).not.toContain(line);
    const { secrets } = applyCredential('googleApi', data, { now: () => 0, hide: () => undefined });
    expect(secrets()).toEqual([KEYS.privateKey]);
  });

  it('hides its tokens, and its signatures in errors of the token endpoint that repeat them', async () => {
    const hidden: string[] = [];
    await send(credential(), { hide: (secret) => hidden.push(secret) });
    expect(hidden).toContain(valid);
    answerToken = (seen, response) => {
      const signature = new URLSearchParams(seen.body).get('assertion')?.split('.')[2];
      response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description: signature }));
    };
    const { error } = await runKind('httpRequest', {
      http: client,
      credential: credential(),
      node: { credentials: { googleApi: { id: 'c', name: 'c' } } },
      parameters: {
        url: `${server.url}/api`,
        authentication: 'predefinedCredentialType',
        nodeCredentialType: 'googleApi',
      },
    });
    expect(error?.message).toMatch(/invalid_grant: \*+\.$/);
  });

  it('sends token requests through the same guard', async () => {
    await expect(run(credential({ accessTokenUrl: 'http://10.0.0.1/token' }))).rejects.toThrow(/private-address/);
    await expect(run(credential({ accessTokenUrl: 'file:///etc/passwd' }))).rejects.toThrow(/scheme|file:/);
  });
});
