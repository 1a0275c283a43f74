import { createTokenSigner, createTokenVerifier, createVerifyUser } from '@weft/service-kit/auth';
import { gather } from '@weft/service-kit/batching';
import { ConfigFaults } from '@weft/service-kit/config';
import { startGrpcServer } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { connectDatabase } from '@weft/service-kit/mongo';
import { createExecutionsClient } from './clients/executions';
import type { Config } from './config';
import { createDomain } from './domain/domain';
import { masterKeyFaults, type MasterKeys } from './domain/master-keys';
import { ownerSettingFaults, type OwnerSettings } from './domain/users/first-owner';
import { bindServices } from './handlers/services';
import { createIndexes } from './store/indexes';
import { createStores } from './store/stores';

/** Few at once, so that what arrives meanwhile goes out together. */
const VERIFICATION_BATCHES = { maxBatch: 200, concurrency: 4, maxQueued: 5_000 };

/** What no single row of the table can see: values that do not go together. */
const checkTogether = (config: Config): { masterKeys: MasterKeys; owner: OwnerSettings } => {
  const masterKeys = { current: config.masterKey, previous: config.masterKeyPrevious ?? undefined };
  const owner = { email: config.ownerEmail, password: config.ownerPassword, apiKey: config.ownerApiKey };
  const faults = [...masterKeyFaults(masterKeys), ...ownerSettingFaults(owner)];
  if (faults.length > 0) throw new ConfigFaults(faults);
  return { masterKeys, owner };
};

/**
 * Starts the credentials service: indexes, first owner, then the port.
 * @param clock for tests; the system's by default.
 * @throws Error that says what to do if the configuration, the store or the port cannot be used.
 */
export const createServer = async (config: Config, logger: Logger, clock: () => Date = () => new Date()): Promise<RunningService> => {
  const { masterKeys, owner: ownerSettings } = checkTogether(config);
  const database = await connectDatabase(config.mongodbUri, config.mongodbDatabase);
  await createIndexes(database.connection);
  const executions = createExecutionsClient(config.executionsTarget, createTokenSigner('credentials', config.serviceKey));
  const domain = createDomain(
    {
      ...createStores(database.connection, config.auditDays),
      checkClaim: executions.checkClaim,
      gather: (flush) => gather({ flush, ...VERIFICATION_BATCHES }),
      masterKeys,
      newId: uuidv7,
      clock,
      onRehashFailure: (error) => logger.warn({ err: error }, 'an API key could not be hashed again under the current master key'),
    },
    config,
  );
  const owner = await domain.ensureFirstOwner(ownerSettings);
  if (owner !== undefined) logger.info({ userId: owner.id }, 'the owner is there');
  const server = await startGrpcServer({
    host: config.host,
    port: config.port,
    services: bindServices(domain),
    authentication: {
      verifyToken: createTokenVerifier('credentials', config.servicePublicKeys),
      speakers: ['gateway'],
      verifyUser: createVerifyUser(async (proof, count) => {
        const { user, allowance } = await domain.verifyProof(proof, count);
        return { user: { userId: user.id, email: user.email, role: user.role, ...allowance }, granted: allowance.granted };
      }),
    },
    logger,
    reflection: config.reflection,
    checkReady: database.isReady,
    checkLive: () => true,
  });
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      await server.stop(config.drainMs);
      executions.close();
      await database.close();
    },
  };
};
