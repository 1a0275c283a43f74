import type { JsonObject } from '@weft/node-catalogue';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type EchoServer, serveEcho } from '@weft/outbound/testing';
import { runKind, type KindResult } from '../../../testing/cases/run-kind';

describe('a service that echoes the secrets it was sent', () => {
  let server: EchoServer;
  let client: OutboundClient;
  let status = 200;
  beforeAll(async () => {
    server = await serveEcho((seen, response) => {
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-seen': seen.headers.authorization ?? '' })
        .end(
          JSON.stringify({
            headers: seen.headers,
            path: seen.path,
            message: `got ${seen.headers.authorization ?? ''}`,
          }),
        );
    });
    client = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  const run = (
    type: string,
    credential: JsonObject,
    over: JsonObject = {},
    parameters: JsonObject = {},
  ): Promise<KindResult> =>
    runKind('httpRequest', {
      http: client,
      credential,
      node: { credentials: { [type]: { id: 'c', name: 'c' } }, ...over },
      parameters: {
        url: `${server.url}/p`,
        authentication: 'genericCredentialType',
        genericAuthType: type,
        options: { response: { response: { fullResponse: true } } },
        ...parameters,
      },
    });

  it.each<[string, JsonObject, string]>([
    ['httpHeaderAuth', { name: 'Authorization', value: 'Token planted-secret' }, 'planted-secret'],
    ['httpBearerAuth', { token: 'planted-secret' }, 'planted-secret'],
    [
      'httpBasicAuth',
      { user: 'somebody', password: 'planted-secret' },
      Buffer.from('somebody:planted-secret').toString('base64'),
    ],
    ['httpQueryAuth', { name: 'api_key', value: 'planted secret' }, 'planted%20secret'],
    ['oAuth2Api', { oauthTokenData: { access_token: 'planted-secret' } }, 'planted-secret'],
  ])('does not leak %s into the items', async (type, credential, sent) => {
    status = 200;
    const { outputs } = await run(type, credential);
    expect(JSON.stringify(server.last())).toContain(sent);
    expect(JSON.stringify(outputs)).not.toContain(sent);
    expect(JSON.stringify(outputs)).toContain('***');
    expect(JSON.stringify(outputs)).toContain('application/json');
  });

  it('does not leak it into errors or the items that replace them', async () => {
    status = 403;
    const credential = { token: 'planted-secret' };
    const { error } = await run('httpBearerAuth', credential);
    expect(JSON.stringify(error)).toContain('***');
    expect(JSON.stringify(error)).not.toContain('planted-secret');
    const { outputs } = await run('httpBearerAuth', credential, { onError: 'continueRegularOutput' });
    expect(JSON.stringify(outputs)).toContain('***');
    expect(JSON.stringify(outputs)).not.toContain('planted-secret');
  });

  it('may return the same string to a node without a secret', async () => {
    status = 200;
    const { outputs } = await runKind('httpRequest', {
      http: client,
      parameters: { url: `${server.url}/planted-secret` },
    });
    expect(JSON.stringify(outputs)).toContain('planted-secret');
  });
});
