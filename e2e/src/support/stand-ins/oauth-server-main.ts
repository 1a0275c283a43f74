import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';

/** Program of a real OAuth 2 server that rotates refresh tokens. Arguments: see oauth-server.ts. */
const [port = '', clientId = '', clientSecret = '', redirectUri = ''] = process.argv.slice(2);

const state = {
  /** Life of access tokens in seconds, from now on. */
  ttl: 3_600,
  codes: 0,
  refreshes: 0,
  refused: 0,
  held: undefined as Promise<void> | undefined,
};
let release = (): void => undefined;
const grants = new Set<string>();

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  cookies: { keys: ['of a test'] },
  claims: { openid: ['sub'] },
  scopes: ['openid', 'offline_access'],
  pkce: { required: () => true },
  findAccount: (_context, login) => ({ accountId: login, claims: () => ({ sub: login }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: () => true,
  ttl: { AccessToken: () => state.ttl, RefreshToken: () => 86_400, Grant: () => 86_400, Session: () => 86_400 },
});

provider.on('grant.success', ({ oidc }) => {
  if (oidc.params?.['grant_type'] === 'refresh_token') state.refreshes += 1;
  else state.codes += 1;
  const id = oidc.entities.Grant?.jti;
  if (id !== undefined) grants.add(id);
});
provider.on('grant.error', () => {
  state.refused += 1;
});

// The response to a request for tokens can be held after the server has issued them.
provider.use(async (context, next) => {
  await next();
  if (context.path === '/token') await state.held;
});

const revokeAll = async (): Promise<void> => {
  for (const id of grants) await (await provider.Grant.find(id))?.destroy();
};

const control = async (command: string, value: string): Promise<void> => {
  if (command === 'ttl') state.ttl = Number(value);
  if (command === 'revoke') await revokeAll();
  if (command === 'hold') {
    state.held = new Promise((resolve) => {
      release = resolve;
    });
  }
  if (command === 'release') {
    state.held = undefined;
    release();
  }
};

const serve = provider.callback();
createServer((request: IncomingMessage, response: ServerResponse) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
  const command = /^\/control\/(\w+)$/.exec(pathname)?.[1];
  if (command === undefined) {
    void serve(request, response);
    return;
  }
  void control(command, searchParams.get('value') ?? '').then(() => {
    const { ttl, codes, refreshes, refused } = state;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ttl, codes, refreshes, refused }));
  });
}).listen(Number(port), '127.0.0.1');
