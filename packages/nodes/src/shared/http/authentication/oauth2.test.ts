import { createHash } from 'node:crypto';
import { type JsonObject, oauth2ClientOf } from '@weft/node-catalogue';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type Answer, type EchoServer, serveEcho } from '@weft/outbound/testing';
import { graphql } from '../../../graphql/executor';
import { runKind } from '../../../testing/cases/run-kind';
import { type NodeRun, type ReadCredential, runNode } from '../../../http-request/testing/run-node';
import { clientCredentialsExchange } from './oauth2';
import { clientCredentialsOf } from './oauth2-grant';
import { TokenCache } from './token-cache';

describe('OAuth 2', () => {
  let server: EchoServer;
  let client: OutboundClient;
  let answerToken: Answer;
  let valid: string;
  let given = 0;
  const next: Answer = (_seen, response) => {
    given += 1;
    valid = `token-${given}-of-this-test`;
    response.end(JSON.stringify({ access_token: valid, token_type: 'bearer', expires_in: 3_600 }));
  };
  beforeAll(async () => {
    server = await serveEcho((seen, response) => {
      if (seen.path.startsWith('/token')) return answerToken(seen, response);
      const isRight = seen.headers.authorization === `Bearer ${valid}`;
      response
        .writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
        .end(isRight ? '{"data":{"ok":true}}' : `{"message":"no such token: ${seen.headers.authorization ?? ''}"}`);
    });
    client = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] });
  });
  beforeEach(() => {
    server.seen.length = 0;
    answerToken = next;
    valid = 'no token is valid yet';
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });

  // Tokens are cached by the credential's data, so each test uses different data.
  let credentials = 0;
  const credential = (over: JsonObject = {}): JsonObject => {
    credentials += 1;
    return {
      grantType: 'clientCredentials',
      accessTokenUrl: `${server.url}/token`,
      clientId: `my id ${credentials}`,
      clientSecret: 's3cret-of-client',
      scope: 'a b',
      ...over,
    };
  };
  const run = (data: JsonObject | ReadCredential, over: Partial<NodeRun> = {}) =>
    runNode(client, {
      parameters: { url: `${server.url}/api`, authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api' },
      credentials: { oAuth2Api: data },
      ...over,
    });
  const paths = (): string[] => server.seen.map(({ path }) => path);

  it('fetches a token with id and secret in the header, caches it, and sends it', async () => {
    const data = credential();
    for (let n = 0; n < 3; n += 1) expect((await run(data))[0]?.json).toEqual({ data: { ok: true } });
    expect(paths()).toEqual(['/token', '/api', '/api', '/api']);
    const id = encodeURIComponent(String(data['clientId']));
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: 'grant_type=client_credentials&scope=a+b',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${id}:s3cret-of-client`).toString('base64')}`,
      },
    });
  });

  it('sends id and secret in the body, with additional fields, if the credential says so', async () => {
    await run(
      credential({
        authentication: 'body',
        clientId: 'me',
        sendAdditionalBodyProperties: true,
        additionalBodyProperties: '{"audience":"x"}',
      }),
    );
    expect(server.seen[0]?.body).toBe(
      'grant_type=client_credentials&scope=a+b&audience=x&client_id=me&client_secret=s3cret-of-client',
    );
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('fetches one token for many requests at once', async () => {
    const items = Array.from({ length: 10 }, () => ({ json: {} }));
    expect(await run(credential(), { items })).toHaveLength(10);
    expect(paths().filter((path) => path === '/token')).toHaveLength(1);
  });

  it('fetches another token once if the server rejects the current one', async () => {
    const data = credential();
    await run(data);
    valid = 'revoked';
    answerToken = next;
    expect((await run(data))[0]?.json).toEqual({ data: { ok: true } });
    expect(paths()).toEqual(['/token', '/api', '/api', '/token', '/api']);
    answerToken = (_seen, response) => response.end('{"access_token":"never accepted"}');
    valid = 'out of reach';
    await expect(run(data)).rejects.toMatchObject({ context: { httpCode: '401' } });
  });

  it('fetches another token when the current one expires', async () => {
    let now = 0;
    const cache = new TokenCache(10);
    const data = credential();
    const send = async (): Promise<void> => {
      const given = oauth2ClientOf('oAuth2Api', data);
      if (given === undefined) throw new Error('The type must be one of OAuth 2.');
      await clientCredentialsExchange(
        clientCredentialsOf('oAuth2Api', given, data),
        { now: () => now, hide: () => undefined },
        cache,
      )({ method: 'GET', url: `${server.url}/api`, timeoutMs: 5_000, followRedirects: true }, (one) =>
        client.request(one),
      );
    };
    await send();
    now = 3_500_000;
    await send();
    now = 3_571_000;
    await send();
    expect(paths()).toEqual(['/token', '/api', '/api', '/token', '/api']);
  });

  describe('with the token of a sign-in', () => {
    const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
    const tokens = (access_token: string, over: JsonObject = {}): JsonObject =>
      credential({ grantType: 'authorizationCode', oauthTokenData: { access_token, ...over } });
    const stored = (): JsonObject => tokens('stored-access-token');
    /** A credential whose token the credentials service replaces each time that it was refused. */
    const replacing = (asked: (string | undefined)[], ...next: readonly JsonObject[]): ReadCredential => {
      let read = -1;
      return (refused) => {
        asked.push(refused);
        read = Math.min(read + 1, next.length - 1);
        return next[read] ?? {};
      };
    };

    it('sends that token', async () => {
      valid = 'stored-access-token';
      expect((await run(stored()))[0]?.json).toEqual({ data: { ok: true } });
      expect(paths()).toEqual(['/api']);
    });

    it('reads the credential again when the token is refused, and never calls the token endpoint', async () => {
      const asked: (string | undefined)[] = [];
      valid = 'second-access-token';
      const data = replacing(asked, stored(), tokens('second-access-token'));
      expect((await run(data))[0]?.json).toEqual({ data: { ok: true } });
      expect(asked).toEqual([undefined, hashOf('stored-access-token')]);
      expect(paths()).toEqual(['/api', '/api']);
    });

    it('reads it once for many requests at once', async () => {
      const asked: (string | undefined)[] = [];
      valid = 'second-access-token';
      const items = Array.from({ length: 10 }, () => ({ json: {} }));
      expect(await run(replacing(asked, stored(), tokens('second-access-token')), { items })).toHaveLength(10);
      expect(asked).toEqual([undefined, hashOf('stored-access-token')]);
    });

    it('reads it before the token expires', async () => {
      const asked: (string | undefined)[] = [];
      valid = 'second-access-token';
      // The clock of the test stands at 0.
      const old = tokens('stored-access-token', { issued_at: -3_550, expires_at: 50 });
      await run(replacing(asked, old, tokens('second-access-token')));
      expect(asked).toEqual([undefined, undefined]);
      expect(paths()).toEqual(['/api']);
    });

    it('returns the response of the server if there is no other token, and asks once', async () => {
      const asked: (string | undefined)[] = [];
      const items = Array.from({ length: 3 }, () => ({ json: {} }));
      await expect(run(replacing(asked, stored()), { items })).rejects.toMatchObject({ context: { httpCode: '401' } });
      expect(asked).toEqual([undefined, hashOf('stored-access-token')]);
    });

    it('sends the request again if a refresh gives the same token', async () => {
      valid = 'none';
      const data: ReadCredential = (refused) => {
        if (refused === undefined) return stored();
        valid = 'stored-access-token';
        return tokens('stored-access-token', { issued_at: 10 });
      };
      expect((await run(data))[0]?.json).toEqual({ data: { ok: true } });
      expect(paths()).toEqual(['/api', '/api']);
    });

    it('refreshes once if the service refuses the same token again', async () => {
      valid = 'none';
      const asked: (string | undefined)[] = [];
      const again = tokens('stored-access-token', { issued_at: 10 });
      const items = Array.from({ length: 30 }, () => ({ json: {} }));
      await expect(
        run(replacing(asked, stored(), again, again), { items, continueOnFail: true }),
      ).resolves.toHaveLength(30);
      expect(asked).toEqual([undefined, hashOf('stored-access-token')]);
    });

    it('says to sign in if the credential has no token', async () => {
      const none = credential({ grantType: 'authorizationCode' });
      await expect(run(none)).rejects.toMatchObject({ message: 'The credential of type oAuth2Api has no token.' });
      expect(paths()).toEqual([]);
    });

    it('works for GraphQL and for known services', async () => {
      valid = 'stored-access-token';
      const node = { credentials: { oAuth2Api: { id: 'c', name: 'c' }, gmailOAuth2: { id: 'c', name: 'c' } } };
      const { outputs } = await runKind(graphql.kind, {
        http: client,
        credential: stored(),
        node,
        parameters: { authentication: 'oAuth2', endpoint: `${server.url}/graphql`, query: '{ ok }' },
      });
      expect(outputs[0]).toEqual([{ data: { ok: true } }]);
      const known = await runKind('httpRequest', {
        http: client,
        credential: stored(),
        node,
        parameters: {
          url: `${server.url}/api`,
          authentication: 'predefinedCredentialType',
          nodeCredentialType: 'gmailOAuth2',
        },
      });
      expect(known.outputs[0]).toEqual([{ data: { ok: true } }]);
    });
  });

  it.each<[string, Answer, RegExp]>([
    [
      'refuses',
      (_seen, response) => response.writeHead(400).end('{"error":"invalid_client","error_description":"unknown"}'),
      /status 400\): invalid_client: unknown/,
    ],
    ['returns none', (_seen, response) => response.end('{"token":"x"}'), /returned no access_token/],
    ['redirects', (_seen, response) => response.writeHead(302, { location: '/api' }).end(), /status 302/],
  ])('reports that the token endpoint %s, and tries again the next time', async (_what, answer, message) => {
    const data = credential();
    answerToken = answer;
    await expect(run(data)).rejects.toThrow(message);
    answerToken = next;
    expect(await run(data)).toHaveLength(1);
  });

  it('sends token requests through the same guard', async () => {
    await expect(run(credential({ accessTokenUrl: 'http://10.0.0.1/token' }))).rejects.toThrow(/private-address/);
    await expect(run(credential({ accessTokenUrl: 'file:///etc/passwd' }))).rejects.toThrow(/scheme|file:/);
  });

  it('reveals neither tokens nor the secret in a failure', async () => {
    const error: unknown = await run(
      credential({ grantType: 'authorizationCode', oauthTokenData: { access_token: 'stored-access-token' } }),
    ).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).toContain('no such token');
    expect(JSON.stringify(error)).not.toContain('stored-access-token');
    const fetched: unknown = await (async () => {
      const data = credential();
      answerToken = (_seen, response) => response.end('{"access_token":"fetched-access-token"}');
      return run(data);
    })().catch((thrown: unknown) => thrown);
    expect(JSON.stringify(fetched)).toContain('no such token');
    expect(JSON.stringify(fetched)).not.toContain('fetched-access-token');
  });
});
