import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ProbeServiceService, type RequestTokensRequest } from '@weft/proto/probes';
import { createDatabases, createMailCheck, createOutboundClient, createRemoteServers } from '@weft/outbound';
import { createCaller } from '@weft/service-kit/grpc';
import { closeAfterEach, makeTestKeys, startFakePeer } from '@weft/service-kit/testing';
import { bindProbes } from '../src/handlers/probes';

const later = closeAfterEach();
const keys = makeTestKeys(['credentials', 'gateway', 'runner']);

type Answer = (form: URLSearchParams, request: IncomingMessage, response: ServerResponse) => void;

/** A token endpoint. */
const serveTokens = async (answer: Answer): Promise<string> => {
  const server = createServer((request, response) => {
    void text(request).then((body) => answer(new URLSearchParams(body), request, response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  later(server, (open) => {
    open.closeAllConnections();
    return new Promise((resolve) => open.close(resolve));
  });
  const address: AddressInfo | string | null = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/token`;
};

const serveRunner = async (allow: readonly string[] = ['127.0.0.1']) => {
  const outbound = createOutboundClient({ allow });
  later(outbound, (open) => open.close());
  const { openSocket } = outbound;
  const ports = {
    http: outbound,
    checkMail: createMailCheck(openSocket),
    databases: createDatabases(openSocket),
    remote: createRemoteServers(openSocket),
  };
  const peer = await startFakePeer({ name: 'runner', publicKeys: keys.publicKeys, services: [bindProbes(ports)] });
  later(peer, (open) => open.stop());
  return (service = 'credentials') => {
    const sign = keys.signerOf(service);
    const { calls, close } = createCaller(ProbeServiceService, { service: 'runner', target: peer.target, sign });
    later(close, (end) => end());
    return calls.requestTokens;
  };
};

const question = (accessTokenUrl: string, over: object = {}, type = 'oAuth2Api'): RequestTokensRequest => ({
  type,
  dataJson: JSON.stringify({ accessTokenUrl, clientId: 'the client', clientSecret: 'the-client-secret', ...over }),
  grant: { $case: 'refreshToken', value: 'a-refresh-token' },
});

describe('RequestTokens', () => {
  it('sends a refresh token with the client in the header, and returns what the service issued', async () => {
    const seen: unknown[] = [];
    const url = await serveTokens((form, { headers }, response) => {
      seen.push(Object.fromEntries(form), headers.authorization);
      response.end('{"access_token":"a","refresh_token":"r","expires_in":3600,"scope":"read"}');
    });
    const { outcome } = await (await serveRunner())()(question(url));
    expect(outcome).toEqual({
      $case: 'issued',
      value: { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 3_600, scope: 'read' },
    });
    const basic = Buffer.from('the%20client:the-client-secret').toString('base64');
    expect(seen).toEqual([{ grant_type: 'refresh_token', refresh_token: 'a-refresh-token' }, `Basic ${basic}`]);
  });

  it('sends a code with its verifier, and a client without a secret in the body', async () => {
    const seen: unknown[] = [];
    const url = await serveTokens((form, { headers }, response) => {
      seen.push(Object.fromEntries(form), headers.authorization);
      response.end('access_token=a');
    });
    const grant = {
      $case: 'authorizationCode' as const,
      value: { code: 'c', redirectUri: 'https://weft.example.test/back', verifier: 'v' },
    };
    const { outcome } = await (await serveRunner())()({ ...question(url, { clientSecret: '' }), grant });
    expect(outcome).toMatchObject({ $case: 'issued', value: { accessToken: 'a', scope: '' } });
    expect(seen).toEqual([
      {
        grant_type: 'authorization_code',
        code: 'c',
        redirect_uri: 'https://weft.example.test/back',
        code_verifier: 'v',
        client_id: 'the client',
      },
      undefined,
    ]);
  });

  it("finds the user's token in Slack's response", async () => {
    const url = await serveTokens((_form, _request, response) =>
      response.end(
        '{"ok":true,"access_token":"of-a-bot","authed_user":{"access_token":"of-a-user","expires_in":43200}}',
      ),
    );
    const { outcome } = await (await serveRunner())()(question(url, {}, 'slackOAuth2Api'));
    expect(outcome).toMatchObject({ value: { accessToken: 'of-a-user', expiresInSeconds: 43_200 } });
  });

  it('returns the refusal of the service with its code, and masks the secrets that it repeats', async () => {
    const url = await serveTokens((form, _request, response) =>
      response
        .writeHead(400)
        .end(
          `{"error":"invalid_grant","error_description":"no ${form.get('refresh_token') ?? ''} of the-client-secret"}`,
        ),
    );
    const { outcome } = await (await serveRunner())()(question(url));
    expect(outcome).toEqual({
      $case: 'refused',
      value: {
        code: 'invalid_grant',
        message: 'The token endpoint of the credential refused the request (status 400): invalid_grant: no *** of ***.',
      },
    });
  });

  it.each<[string, Answer, RegExp]>([
    ['a server error', (_form, _request, response) => response.writeHead(503).end('busy'), /status 503/],
    ['a broken connection', (_form, request) => request.socket.destroy(), /could not be reached/],
  ])('knows nothing about the request after %s', async (_what, answer, message) => {
    const { outcome } = await (await serveRunner())()(question(await serveTokens(answer)));
    expect(outcome).toEqual({ $case: 'unanswered', value: expect.stringMatching(message) });
  });

  it.each<[string, string, string]>([
    ['an oversized token', `{"access_token":"${'x'.repeat(16_385)}"}`, 'more than 16384 characters'],
    ['a page', '<html>', 'no access_token'],
    ['a list', '[1]', 'no access_token'],
  ])('refuses %s', async (_what, body, message) => {
    const url = await serveTokens((_form, _request, response) => response.end(body));
    const { outcome } = await (await serveRunner())()(question(url));
    expect(outcome).toMatchObject({ $case: 'refused', value: { code: '', message: expect.stringContaining(message) } });
  });

  it('reaches no address that nodes may not reach, and follows no redirect', async () => {
    const inner = await serveTokens((_form, _request, response) => response.end('{"access_token":"inner"}'));
    const guarded = await (await serveRunner([]))()(question(inner));
    expect(guarded.outcome).toMatchObject({
      $case: 'refused',
      value: { code: '', message: expect.stringContaining('could not be reached') },
    });
    const outer = await serveTokens((_form, _request, response) => response.writeHead(307, { location: inner }).end());
    const redirected = await (await serveRunner())()(question(outer));
    expect(redirected.outcome).toMatchObject({ $case: 'refused' });
  });

  it('is for the credentials service only', async () => {
    const url = await serveTokens((_form, _request, response) => response.end('{"access_token":"a"}'));
    await expect((await serveRunner())('gateway')(question(url))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('refuses a request without a grant, and data that is not an object, without repeating it', async () => {
    const call = (await serveRunner())();
    const url = 'https://service.example.test';
    await expect(call({ ...question(url), grant: undefined })).rejects.toMatchObject({ fields: [{ field: 'grant' }] });
    const error: unknown = await call({ ...question(url), dataJson: '["the-client-secret"' }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ fields: [{ field: 'data_json' }] });
    expect(String(error)).not.toContain('the-client-secret');
  });
});
