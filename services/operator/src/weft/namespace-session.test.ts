import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SecretValues } from '../kubernetes/objects';
import { createNamespaceSession } from './namespace-session';
import { createWeftCalls } from './weft-calls';

/** Weft, which has deleted the key `old`; lists that are asked for with it wait until they are released. */
const startWeft = async (): Promise<{ server: Server; url: string; release: () => void; asked: Promise<void> }> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url?.includes('/me') === true) return answer(200, { data: { projects: [{ id: 'p1', name: 'shop' }] } });
    if (request.headers['x-svc-api-key'] !== 'old') return answer(200, { data: [], nextCursor: null });
    tellAsked();
    void released.then(() => answer(401, { error: { code: 'UNAUTHORIZED', message: 'The API key is deleted.' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { server, url: `http://127.0.0.1:${port}`, release, asked };
};

describe('the session of a namespace', () => {
  const metadata = {
    namespace: 'shop',
    name: 'cart',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '',
  };
  let weft: Awaited<ReturnType<typeof startWeft>>;
  let now = 0;
  let secret: SecretValues;
  const secretWith = (version: string, key: string): SecretValues => ({
    version,
    values: new Map([
      ['key', key],
      ['project', 'shop'],
    ]),
  });
  const open = () =>
    createNamespaceSession({
      cluster: 'check',
      namespace: 'shop',
      connect: (apiKey) => createWeftCalls(weft.url, apiKey),
      readKey: () => Promise.resolve(secret),
      now: () => now,
    });
  beforeEach(async () => {
    weft = await startWeft();
    now = 0;
    secret = secretWith('1', 'old');
  });
  afterEach(() => {
    weft.server.closeAllConnections();
    weft.server.close();
  });

  it('does not ask again with a key that was refused, until its Secret changes or a minute is over', async () => {
    const session = open();
    weft.release();
    await expect(session.find(metadata)).rejects.toMatchObject({ failure: { kind: 'no-key' } });
    secret = secretWith('2', 'new');
    await expect(session.find(metadata)).rejects.toMatchObject({ failure: { kind: 'no-key' } });
    now = 60_001;
    await expect(session.find(metadata)).resolves.toBeUndefined();
  });

  it('continues with a new key although a call with the old one is refused after the change', async () => {
    const session = open();
    const late = session.find(metadata);
    await weft.asked;
    secret = secretWith('2', 'new');
    expect(await session.readKeyAgain()).toBe(true);
    await expect(session.find(metadata)).resolves.toBeUndefined();
    weft.release();
    await expect(late).rejects.toMatchObject({ failure: { kind: 'no-key' } });
    await expect(session.find(metadata)).resolves.toBeUndefined();
  });
});
