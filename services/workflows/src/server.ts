import { createAuditLog, createRecordRefusal } from '@weft/service-kit/audit';
import { createTokenSigner, createTokenVerifier } from '@weft/service-kit/auth';
import { countCallEvents, startGrpcServer, type GrpcServer } from '@weft/service-kit/grpc';
import { connectClosedProjects, connectUserVerifier } from '@weft/service-kit/identity';
import { createRepeatDeps } from '@weft/service-kit/idempotency';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { openDatabase, startMeasuringStore } from '@weft/service-kit/mongo';
import { joinReplicas } from '@weft/service-kit/replicas';
import { bindSharedSettings, sharedSettingsOf } from '@weft/service-kit/shared-settings';
import { createVisibilityScopes } from '@weft/service-kit/visibility';
import { createCredentialsClient } from './clients/credentials';
import { createExecutionsClient } from './clients/executions';
import { createProjectsClient } from './clients/projects';
import { createDeliveryStarter } from './clients/start-delivery';
import { compose, type UseCases } from './compose';
import { table, type Config } from './config';
import { bindServices } from './handlers/services';
import { startLoops, type Loops } from './jobs/start-loops';
import { createFindNextDue } from './store/schedules/find-next-due';
import { SCHEMA } from './store/indexes';
import { createStores } from './store/stores';

/** Maximum milliseconds between two heartbeats to the other replicas. */
const SIGN_OF_LIFE_MS = 2_000;

/** Interval at which due reviews of versions are read. */
const COLLECT_MS = 60_000;

/** Connects everything outside this process that the service uses. */
const connect = async (config: Config, logger: Logger) => {
  const sign = createTokenSigner('workflows', () => config.serviceKey);
  const { database, prepared: replicas } = await openDatabase({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    schema: SCHEMA,
    migrates: config.migrateAtStart,
    prepare: (connection) =>
      joinReplicas({ connection, everyMs: Math.min(SIGN_OF_LIFE_MS, 2 * config.schedulePollMs), logger }),
  });
  const users = connectUserVerifier(config.credentialsTarget, sign);
  const projects = createProjectsClient(config.credentialsTarget, sign);
  const credentials = createCredentialsClient(config.credentialsTarget, sign);
  const closedProjects = connectClosedProjects(config.credentialsTarget, sign);
  const renewing = closedProjects.start(logger);
  const executions = createExecutionsClient(config.executionsTarget, sign);
  const deliveries = createDeliveryStarter(config.executionsTarget, sign);
  const measuring = startMeasuringStore({
    connection: database.connection,
    isMine: () => replicas.isMine('measure-store'),
    logger,
  });
  const close = async (): Promise<void> => {
    await measuring.stop();
    await replicas.stop();
    await renewing.stop();
    executions.close();
    deliveries.close();
    users.close();
    projects.close();
    credentials.close();
    closedProjects.close();
    await database.close();
  };
  return { database, users, projects, credentials, closedProjects, executions, deliveries, replicas, close };
};

type Connections = Awaited<ReturnType<typeof connect>>;

const serve = (
  config: Config,
  logger: Logger,
  { database, users }: Connections,
  useCases: UseCases,
  loops: Loops,
): Promise<GrpcServer> => {
  // Definitions are stored in clear anyway.
  const repeat = createRepeatDeps({ connection: database.connection, now: database.now, secret: 'workflows', logger });
  const auditLog = createAuditLog(database.connection, config.auditDays);
  return startGrpcServer({
    host: config.host,
    port: config.port,
    services: [...bindServices(useCases, auditLog, repeat), bindSharedSettings(sharedSettingsOf(table, config))],
    authentication: {
      verifyToken: createTokenVerifier('workflows', () => config.servicePublicKeys),
      verifyUser: users.verifyUser,
      trustedCallers: ['gateway', 'credentials'],
      onRefused: createRecordRefusal(auditLog.record, logger),
    },
    logger,
    reflection: config.reflection,
    checkReady: database.isReady,
    checkLive: loops.areAlive,
  });
};

/**
 * Builds and starts the service: indexes, background loops, then the port.
 * @param collectMs interval at which due reviews of versions are read; set by tests
 */
export const createServer = async (
  config: Config,
  logger: Logger,
  collectMs: number = COLLECT_MS,
): Promise<RunningService> => {
  const connections = await connect(config, logger);
  const { database, projects, credentials, closedProjects, executions, deliveries, replicas: share } = connections;
  const stores = createStores(database.connection);
  const useCases = compose({
    config,
    stores,
    executions,
    checkDestination: projects.checkDestination,
    findCredentials: credentials.findCredentials,
    scopes: createVisibilityScopes(closedProjects),
    startDelivery: deliveries.start,
    callHook: credentials.callHook,
    onHooksDue: () => loops.keepHooksSoon(),
    share,
    onBackfillStarted: () => loops.runBackfillsSoon(),
    clock: database.now,
    logger,
  });
  const loops = startLoops({
    config,
    useCases,
    share,
    collectMs,
    clock: database.now,
    // One interval early, because a tick may be late.
    findNextDue: createFindNextDue(stores, 2 * config.schedulePollMs),
    countEvents: countCallEvents,
    logger,
  });
  const server = await serve(config, logger, connections, useCases, loops);
  server.health.setReady(true);
  return {
    port: server.port,
    health: server.health,
    stop: async () => {
      await Promise.all([server.stop(config.drainMs), loops.stop()]);
      await connections.close();
    },
  };
};
