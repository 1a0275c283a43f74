import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { RunnerServiceService } from '@weft/proto/runner';
import { type CountedUser, createTokenVerifier } from '../src/auth';
import { Unauthorized } from '../src/errors';
import { bindService, startGrpcServer, type GrpcServer } from '../src/grpc';
import { makeTestKeys, testLogger } from '../src/testing';

const keys = makeTestKeys(['runner']);
const RESET = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
const users: Readonly<Record<string, Partial<CountedUser>>> = {
  weft_limited: { limit: 60, remaining: 7 },
  weft_over: { limit: 60, remaining: 0, isGranted: false },
  weft_free: { limit: 0, remaining: 0 },
};
const method = RunnerServiceService.heartbeat;
const rule = { users: 'workflows:read' as const, services: ['runner'] };
const one = { heartbeat: RunnerServiceService.heartbeat };

/** Metadata of a response: at its begin, and at its end. */
interface Seen {
  readonly initial: Record<string, unknown>;
  readonly trailers: Record<string, unknown>;
  readonly code: number;
}

describe('the metadata of a gRPC response', () => {
  let server: GrpcServer;
  let client: Client;
  beforeAll(async () => {
    server = await startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      services: [
        bindService(
          one,
          {
            heartbeat: ({ runnerId }) =>
              runnerId === 'refused' ? Promise.reject(new Unauthorized('No.')) : Promise.resolve({ outcomes: [] }),
          },
          { heartbeat: rule },
        ),
      ],
      logger: testLogger(),
      reflection: false,
      authentication: {
        verifyToken: createTokenVerifier('executions', keys.publicKeys),
        trustedCallers: [],
        verifyUser: (proof) => {
          const user = proof.kind === 'api-key' ? users[proof.apiKey] : undefined;
          if (user === undefined) return Promise.reject(new Unauthorized());
          const known = {
            userId: 'u',
            email: 'u@example.test',
            role: 'owner',
            resetAt: RESET,
            isGranted: true,
          } as const;
          return Promise.resolve({ ...known, limit: 0, remaining: 0, ...user });
        },
      },
      checkReady: () => Promise.resolve(true),
      checkLive: () => true,
    });
    client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
  });
  afterAll(async () => {
    client.close();
    await server.stop(1_000);
  });

  const call = (headers: Readonly<Record<string, string>>, runnerId = 'r'): Promise<Seen> =>
    new Promise((resolve) => {
      const metadata = new Metadata();
      for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
      let initial: Record<string, unknown> = {};
      client
        .makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          { runnerId, held: [] },
          metadata,
          () => undefined,
        )
        .on('metadata', (seen: Metadata) => {
          initial = seen.getMap();
        })
        .on('status', (status) => resolve({ initial, trailers: status.metadata.getMap(), code: status.code }));
    });

  const LIMIT = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '1767323045' };

  it('names the request and the state of the limit, at the begin of a response', async () => {
    const { initial, code } = await call({ 'x-svc-api-key': 'weft_limited', 'x-request-id': 'order-1' });
    expect([code, initial]).toMatchObject([0, { 'x-request-id': 'order-1', ...LIMIT }]);
    const chosen = await call({ 'x-svc-api-key': 'weft_free' });
    expect(chosen.initial).toMatchObject({ 'x-request-id': expect.stringMatching(/^[\w.-]{20,}$/) });
    expect(Object.keys(chosen.initial).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  it('is in the trailers of a call that fails, and shows an exceeded limit', async () => {
    const refused = await call({ 'x-svc-api-key': 'weft_limited', 'x-request-id': 'order-2' }, 'refused');
    expect(refused.trailers).toMatchObject({ 'x-request-id': 'order-2', ...LIMIT });
    const over = await call({ 'x-svc-api-key': 'weft_over', 'x-request-id': 'order-3' });
    expect([over.code, over.trailers]).toMatchObject([
      8,
      { 'x-request-id': 'order-3', ...LIMIT, 'x-ratelimit-remaining': '0' },
    ]);
    const unknown = await call({ 'x-svc-api-key': 'weft_none', 'x-request-id': 'order-4' });
    expect([unknown.code, unknown.trailers]).toMatchObject([16, { 'x-request-id': 'order-4' }]);
  });

  it('is not sent to services, which know both', async () => {
    const token = keys.signerOf('runner')('executions', method.path);
    const { initial, trailers, code } = await call({ 'x-weft-service-token': token, 'x-request-id': 'order-5' });
    expect([code, initial['x-request-id'], trailers['x-request-id']]).toEqual([0, undefined, undefined]);
  });
});
