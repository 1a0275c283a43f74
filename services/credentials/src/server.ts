import { createTokenSigner, createTokenVerifier, createVerifyUser, type VerifyUser } from '@weft/service-kit/auth';
import { createBatcher } from '@weft/service-kit/batching';
import { ConfigErrors } from '@weft/service-kit/config';
import { startGrpcServer, type GrpcServer } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import type { Loop, RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { createExecutionsClient, type ExecutionsClient } from './clients/executions';
import type { Config } from './config';
import { createDomain, type Domain, type Ports } from './domain/domain';
import { masterKeyErrors, type MasterKey, type MasterKeys } from './domain/master-keys';
import { ownerSettingErrors, type OwnerSettings } from './domain/users/first-owner';
import { bindServices } from './handlers/services';
import { startRewrapJob } from './jobs/rewrap-credentials';
import { createIndexes } from './store/indexes';
import { createStores, type StorePorts } from './store/stores';

/** Few at once, so that what arrives meanwhile goes out together. */
const VERIFICATION_BATCHES = { maxBatch: 200, concurrency: 4, maxQueued: 5_000 };

/** What no single row of the table can see: values that do not go together. */
const checkTogether = (config: Config): { masterKeys: MasterKeys; owner: OwnerSettings } => {
  const masterKeys = { current: config.masterKey, previous: config.masterKeyPrevious ?? undefined };
  const owner = { email: config.ownerEmail, password: config.ownerPassword, apiKey: config.ownerApiKey };
  const faults = [...masterKeyErrors(masterKeys), ...ownerSettingErrors(owner)];
  if (faults.length > 0) throw new ConfigErrors(faults);
  return { masterKeys, owner };
};

/** What is closed when the process ends. */
interface Resources {
  readonly database: Database;
  readonly executions: ExecutionsClient;
}

const close = async ({ database, executions }: Resources): Promise<void> => {
  executions.close();
  await database.close();
};

const verifyUserBy = ({ verifyProof }: Domain): VerifyUser =>
  createVerifyUser(async (proof, count) => {
    const { user, allowance } = await verifyProof(proof, count);
    return { user: { userId: user.id, email: user.email, role: user.role, ...allowance }, granted: allowance.granted };
  });

const listen = (
  config: Config,
  domain: Domain,
  job: Loop | undefined,
  { database }: Resources,
  logger: Logger,
): Promise<GrpcServer> =>
  startGrpcServer({
    host: config.host,
    port: config.port,
    services: bindServices(domain),
    authentication: {
      verifyToken: createTokenVerifier('credentials', config.servicePublicKeys),
      trustedCallers: ['gateway'],
      verifyUser: verifyUserBy(domain),
    },
    logger,
    reflection: config.reflection,
    checkReady: database.isReady,
    checkLive: () => job?.isTurning() ?? true,
  });

const startJob = (
  { rewrapCredentials }: Domain,
  { apiKeys }: StorePorts,
  previous: MasterKey | undefined,
  logger: Logger,
): Loop | undefined =>
  rewrapCredentials === undefined || previous === undefined
    ? undefined
    : startRewrapJob({ rewrapCredentials, countOldApiKeys: () => apiKeys.countByKid(previous.kid), logger });

/** The first owner comes from the configuration, or by the set-up page from whoever can read this log. */
const prepareOwner = async (domain: Domain, settings: OwnerSettings, logger: Logger): Promise<void> => {
  const owner = await domain.ensureFirstOwner(settings);
  if (owner !== undefined) logger.info({ userId: owner.id }, 'owner account already exists');
  else if (await domain.isSetupOpen())
    logger.warn(`there is no owner yet: open /settings and make one with the set-up code ${domain.setUpCode}`);
};

const serve = async (
  config: Config,
  resources: Resources,
  logger: Logger,
  clock: () => Date,
): Promise<RunningService> => {
  const { masterKeys, owner: ownerSettings } = checkTogether(config);
  const stores = createStores(resources.database.connection, config.auditDays);
  const ports: Ports = {
    ...stores,
    checkClaim: resources.executions.checkClaim,
    createBatcher: (flush) => createBatcher({ flush, ...VERIFICATION_BATCHES }),
    masterKeys,
    newId: uuidv7,
    clock,
    onRehashFailure: (error) =>
      logger.warn({ err: error }, 'an API key could not be hashed again under the current master key'),
  };
  const domain = createDomain(ports, config);
  await createIndexes(resources.database.connection);
  await prepareOwner(domain, ownerSettings, logger);
  const job = startJob(domain, stores, masterKeys.previous, logger);
  const server = await listen(config, domain, job, resources, logger);
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      await server.stop(config.drainMs);
      await job?.stop();
      await close(resources);
    },
  };
};

/**
 * Starts the credentials service: indexes, first owner, then the port.
 * @param clock for tests; the system's by default.
 * @throws Error that says what to do if the configuration, the store or the port cannot be used.
 */
export const createServer = async (
  config: Config,
  logger: Logger,
  clock: () => Date = () => new Date(),
): Promise<RunningService> => {
  checkTogether(config);
  const executions = createExecutionsClient(
    config.executionsTarget,
    createTokenSigner('credentials', config.serviceKey),
  );
  const resources = { executions, database: await connectDatabase(config.mongodbUri, config.mongodbDatabase) };
  try {
    return await serve(config, resources, logger, clock);
  } catch (error) {
    await close(resources);
    throw error;
  }
};
