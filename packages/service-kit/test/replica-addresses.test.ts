import { credentials, Metadata, Server, ServerCredentials, status as GrpcCode } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient, HealthService } from '@weft/proto/health';
import { promises as dns } from 'node:dns';
import { clientOptions } from '../src/grpc/client/channel';
import { until } from '../src/testing';

const NAME = 'weft-peer.test';
const [FIRST, SECOND] = ['127.0.0.1', '127.0.0.2'] as const;
/** Far above the second between two look-ups, and far below the 30 s of grpc-js. */
const LIMIT_MS = 10_000;

/** A replica that answers health checks. @param port 0: the system chooses */
const startReplica = async (
  host: string,
  port: number,
): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = new Server();
  server.addService(HealthService, {
    check: (_call: unknown, answer: (error: null, response: object) => void) =>
      answer(null, { status: Serving.SERVING }),
    watch: () => undefined,
    list: () => undefined,
  });
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, used) =>
      error === null ? resolve(used) : reject(error),
    );
  });
  return { server, port: bound };
};

describe('a client of a service whose replicas are replaced', () => {
  let addresses: readonly string[] = [FIRST];
  const servers: Server[] = [];
  const lookUp = jest.spyOn(dns, 'lookup');
  const lookUpText = jest.spyOn(dns, 'resolveTxt');
  beforeAll(() => {
    lookUp.mockImplementation(() => Promise.resolve(addresses.map((address) => ({ address, family: 4 }))) as never);
    lookUpText.mockResolvedValue([]);
  });
  afterAll(() => {
    for (const server of servers) server.forceShutdown();
    jest.restoreAllMocks();
  });

  it('uses the new addresses within seconds, and queries the DNS only for addresses', async () => {
    const { server, port } = await startReplica(FIRST, 0);
    const next = await startReplica(SECOND, port);
    servers.push(server, next.server);
    const client = new HealthClient(`dns:///${NAME}:${port}`, credentials.createInsecure(), clientOptions([]));
    const check = (): Promise<string> =>
      new Promise((resolve) =>
        client.check({ service: '' }, new Metadata(), { deadline: Date.now() + 1_000 }, (error) =>
          resolve(error === null ? 'OK' : (GrpcCode[error.code] ?? '')),
        ),
      );
    try {
      expect(await check()).toBe('OK');
      addresses = [SECOND];
      server.forceShutdown();
      await until('the new replica answers', async () => (await check()) === 'OK', LIMIT_MS);
      expect(lookUp).toHaveBeenCalledWith(NAME, { all: true });
      expect(lookUpText).not.toHaveBeenCalled();
    } finally {
      client.close();
    }
  });
});
