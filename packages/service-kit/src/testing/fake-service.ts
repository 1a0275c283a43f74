import type { Role } from '../auth';
import { createTokenVerifier } from '../auth';
import { Unauthorized } from '../errors';
import { startGrpcServer, type BoundService } from '../grpc';
import type { Logger } from '../logging';
import { testLogger } from './loggers';

/** A peer faked at the gRPC level. */
export interface FakePeer {
  /** gRPC target. */
  readonly target: string;
  readonly stop: () => Promise<void>;
}

export interface FakePeerOptions {
  /** Its name: the audience of the tokens it accepts. */
  readonly name: string;
  readonly publicKeys: string;
  readonly services: readonly BoundService[];
  /** Default: only errors, to standard error. */
  readonly logger?: Logger;
  /** Roles by API key, for fakes that users call. */
  readonly users?: Readonly<Record<string, Role>>;
}

/** Serves the given handlers as a peer on a separate port. */
export const startFakePeer = async ({
  name,
  publicKeys,
  services,
  logger = testLogger(),
  users = {},
}: FakePeerOptions): Promise<FakePeer> => {
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services,
    logger,
    reflection: false,
    authentication: {
      verifyToken: createTokenVerifier(name, publicKeys),
      trustedCallers: ['gateway', 'credentials'],
      verifyUser: (proof) => {
        const role = proof.kind === 'api-key' ? users[proof.apiKey] : undefined;
        if (role === undefined) return Promise.reject(new Unauthorized());
        return Promise.resolve({
          userId: `user-${role}`,
          email: `${role}@example.test`,
          role,
          limit: 0,
          remaining: 0,
          resetAt: new Date(),
          isGranted: true,
        });
      },
    },
    checkReady: () => Promise.resolve(true),
    checkLive: () => true,
  });
  server.health.setReady(true);
  return { target: `ipv4:127.0.0.1:${server.port}`, stop: () => server.stop(1_000) };
};
