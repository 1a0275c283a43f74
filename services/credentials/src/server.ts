import { createAuditLog, createRecordRefusal, type AuditLog } from '@weft/service-kit/audit';
import { createTokenSigner, createTokenVerifier, createVerifyUser, type VerifyUser } from '@weft/service-kit/auth';
import { createBatcher } from '@weft/service-kit/batching';
import { ConfigErrors } from '@weft/service-kit/config';
import { withoutContext } from '@weft/service-kit/context';
import { startGrpcServer } from '@weft/service-kit/grpc';
import { createRepeatDeps, type RepeatDeps } from '@weft/service-kit/idempotency';
import { uuidv7 } from '@weft/service-kit/ids';
import type { Loop, RunningService } from '@weft/service-kit/lifecycle';
import { createFaultLog, type Logger } from '@weft/service-kit/logging';
import { openDatabase, startMeasuringStore } from '@weft/service-kit/mongo';
import { bindSharedSettings, sharedSettingsOf } from '@weft/service-kit/shared-settings';
import { CLOSED_PROJECTS_LEASE_MS } from '@weft/service-kit/visibility';
import { setTimeout as sleep } from 'node:timers/promises';
import { createExecutionsClient } from './clients/executions';
import { createRunnerClient } from './clients/runner';
import { createWorkflowsClient } from './clients/workflows';
import { compose, type UseCases } from './compose';
import { table, type Config } from './config';
import { checkFingerprints, deriveKey, type MasterKeys } from './domain/master-keys';
import { ownerSettingErrors, type OwnerSettings } from './domain/accounts/first-owner';
import { createHashPassword } from './domain/users/password';
import { DELEGATED_METHODS } from './handlers/access';
import { bindServices } from './handlers/services';
import { startRewrapJob } from './jobs/rewrap-credentials';
import { countRefresh, startCountingLost } from './observing/observe-logins';
import { startShowingSealed } from './observing/show-sealed';
import { createReadCredentialFile } from './store/credential-files';
import { SCHEMA } from './store/indexes';
import { createStores, type Stores } from './store/stores';

/** Low concurrency, so that calls that arrive meanwhile form larger batches. */
const VERIFICATION_BATCHES = { maxBatch: 200, concurrency: 4, maxQueued: 5_000 };

/** Checks the variables that depend on each other. @throws ConfigErrors */
const readTogether = (config: Config): { masterKeys: MasterKeys; owner: OwnerSettings } => {
  // Read from the configuration each time: they may come from files that are replaced.
  const masterKeys = {
    get current() {
      return config.masterKey;
    },
    get previous() {
      return config.masterKeyPrevious ?? undefined;
    },
  };
  const owner = { email: config.ownerEmail, password: config.ownerPassword, apiKey: config.ownerApiKey };
  const errors = ownerSettingErrors(owner);
  if (errors.length > 0) throw new ConfigErrors(errors);
  return { masterKeys, owner };
};

/** Connections of this process. */
const connect = async (config: Config, logger: Logger) => {
  const sign = createTokenSigner('credentials', () => config.serviceKey);
  const executions = createExecutionsClient(config.executionsTarget, sign);
  const workflows = createWorkflowsClient(config.workflowsTarget, sign);
  const runner = createRunnerClient(config.runnerTarget, sign);
  const { database } = await openDatabase({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    schema: SCHEMA,
    migrates: config.migrateAtStart,
    prepare: () => Promise.resolve(),
    logger,
  });
  const close = async (): Promise<void> => {
    executions.close();
    workflows.close();
    runner.close();
    await database.close();
  };
  return { executions, workflows, runner, database, sign, close };
};

type Deps = Awaited<ReturnType<typeof connect>>;

const verifyUserBy = ({ verifyProof }: UseCases): VerifyUser =>
  createVerifyUser(async (proof, count) => {
    const { user, allowance, scopes, apiKeyId } = await verifyProof(proof, count);
    const { id: userId, email, role } = user;
    return {
      user: {
        userId,
        email,
        role,
        ...(scopes === undefined ? {} : { scopes }),
        ...(apiKeyId === undefined ? {} : { keyId: apiKeyId }),
        ...allowance,
      },
      granted: allowance.granted,
    };
  });

const serve = (
  config: Config,
  logger: Logger,
  { database }: Deps,
  useCases: UseCases,
  auditLog: AuditLog,
  repeat: RepeatDeps,
  job: Loop,
) =>
  startGrpcServer({
    host: config.host,
    port: config.port,
    logger,
    reflection: config.reflection,
    services: [
      ...bindServices(useCases, auditLog, repeat, config.buildCommit),
      bindSharedSettings(sharedSettingsOf(table, config)),
    ],
    authentication: {
      verifyToken: createTokenVerifier('credentials', () => config.servicePublicKeys),
      verifyUser: verifyUserBy(useCases),
      trustedCallers: ['gateway', 'credentials'],
      onRefused: createRecordRefusal(auditLog.record, logger),
    },
    checkReady: database.isReady,
    checkLive: () => job.isAlive(),
  });

const startJob = ({ rewrapCredentials }: UseCases, { apiKeys }: Stores, masterKeys: MasterKeys, logger: Logger): Loop =>
  startRewrapJob({ rewrapCredentials, masterKeys, countApiKeys: apiKeys.countByKid, logger });

/** Creates the first owner from the configuration, or logs the code for creating it on the settings page. */
const prepareOwner = async (useCases: UseCases, settings: OwnerSettings, logger: Logger): Promise<void> => {
  const owner = await useCases.ensureFirstOwner(settings);
  if (owner !== undefined) logger.info({ userId: owner.id }, 'owner account already exists');
  else if (await useCases.isSetupOpen())
    logger.warn(`no owner account yet: open /settings and create it with the set-up code ${useCases.setUpCode}`);
};

const start = async (config: Config, logger: Logger, deps: Deps, clock: () => Date): Promise<RunningService> => {
  const { masterKeys, owner } = readTogether(config);
  const { database, executions, workflows, sign } = deps;
  const auditLog = createAuditLog(database.connection, config.auditDays);
  const stores = createStores(database.connection, auditLog);
  const unusableFiles = createFaultLog(logger, 'a file that a credential names cannot be used');
  const useCases = compose({
    ...stores,
    config,
    checkClaim: executions.checkClaim,
    ownership: workflows,
    listCredentialWorkflows: deps.workflows.listCredentialWorkflows,
    probeCredential: deps.runner.probeCredential,
    fetchOptions: deps.runner.fetchOptions,
    requestTokens: deps.runner.requestTokens,
    requestHook: deps.runner.requestHook,
    recheckHooks: deps.workflows.recheckHooks,
    onRefresh: countRefresh,
    wait: (ms) => sleep(ms),
    detached: withoutContext,
    readCredentialFile: createReadCredentialFile(config.credentialFilesDir),
    untilKnown: () => sleep(CLOSED_PROJECTS_LEASE_MS),
    sign,
    delegatedMethods: DELEGATED_METHODS,
    createBatcher: (flush) => createBatcher({ flush, ...VERIFICATION_BATCHES }),
    masterKeys,
    hashPassword: createHashPassword(config.passwordCost),
    newId: uuidv7,
    clock,
    onRehashFailure: (err) => logger.warn({ err }, 'API key could not be rehashed under the current master key'),
    onUnusableFile: (err) => unusableFiles.failed({ err }),
    onNoteFailure: (err) => logger.warn({ err }, 'the last use of an API key could not be written'),
  });
  const checkKeys = (): Promise<void> => checkFingerprints(masterKeys, stores.noteFingerprint);
  await checkKeys();
  await prepareOwner(useCases, owner, logger);
  const job = startJob(useCases, stores, masterKeys, logger);
  const watching = [
    startShowingSealed({ countByKid: stores.credentials.countByKid, masterKeys, checkKeys, logger }),
    startCountingLost(stores.credentials.countLost, logger),
    // Replicas of this service do not coordinate: each measures, and queries take the maximum.
    startMeasuringStore({ connection: database.connection, isMine: () => true, logger }),
  ];
  // Requests contain passwords and secrets, which a plain digest would let an attacker guess.
  const secret = deriveKey(masterKeys.current, 'idempotency');
  const repeat = createRepeatDeps({ connection: database.connection, now: database.now, secret, logger });
  const server = await serve(config, logger, deps, useCases, auditLog, repeat, job);
  server.health.setReady(true);
  return {
    port: server.port,
    health: server.health,
    stop: async () => {
      await server.stop(config.drainMs);
      await job.stop();
      await Promise.all(watching.map((loop) => loop.stop()));
      await deps.close();
    },
  };
};

/**
 * Builds and starts the service: indexes, first owner, then the port.
 * @param clock for tests; default: that of the store, which all replicas share
 * @throws Error with a remedy if the configuration, the store or the port cannot be used
 */
export const createServer = async (config: Config, logger: Logger, clock?: () => Date): Promise<RunningService> => {
  readTogether(config);
  const deps = await connect(config, logger);
  try {
    return await start(config, logger, deps, clock ?? (() => new Date(deps.database.now())));
  } catch (error) {
    await deps.close();
    throw error;
  }
};
