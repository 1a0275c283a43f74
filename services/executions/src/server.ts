import { executionQueueNames } from '@weft/proto/execution-queue';
import { createAuditLog, createRecordRefusal } from '@weft/service-kit/audit';
import { createRepeatDeps } from '@weft/service-kit/idempotency';
import { createTokenSigner, createTokenVerifier } from '@weft/service-kit/auth';
import { countCallEvents, startGrpcServer } from '@weft/service-kit/grpc';
import { connectClosedProjects, connectUserVerifier } from '@weft/service-kit/identity';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { openDatabase, startMeasuringStore } from '@weft/service-kit/mongo';
import { connectionOptions } from '@weft/service-kit/nats';
import { joinReplicas } from '@weft/service-kit/replicas';
import { bindSharedSettings, sharedSettingsOf } from '@weft/service-kit/shared-settings';
import { createVisibilityScopes } from '@weft/service-kit/visibility';
import { createCredentialsClient } from './clients/credentials';
import { createRunnerClient } from './clients/runner';
import { createWorkflowsClient } from './clients/workflows';
import { compose, type UseCases } from './compose';
import { composeNotifications } from './compose-notifications';
import { table, type Config } from './config';
import { createRunnerSigns, type RunnerSigns } from './domain/claim/runner-signs';
import type { Clock } from './domain/state/ports';
import { createWriteEvents } from './domain/end/observed-writes';
import { createWaitingClaims } from './domain/inline/waiting-claims';
import { createDeltaReaders } from './domain/event-log/delta-readers';
import { bindServices } from './handlers/services';
import { startLoops, type Loops } from './jobs/start-loops';
import { connectBroker } from './messaging/broker';
import { createQueuedPublisher } from './messaging/publish-queued';
import { createDeltaChannel } from './messaging/delta-channel';
import { createFollowedChannel } from './messaging/followed-channel';
import { createIdsChannel, createSendIds, createSendQuarantined, listenForSaturating } from './messaging/ids-channel';
import { addressOf, createOffering } from './messaging/offers';
import { createSubscriptionHints } from './messaging/subscription-hints';
import { countWritesOf } from './store/executions/count-writes';
import { SCHEMA } from './store/indexes';
import { openStore } from './store/open-store';

/** Share of the time for which a run may stay in memory, in which a runner must claim or decline it. */
const ANSWER_PART = 0.4;

/** Maximum milliseconds between two heartbeats for the other replicas. */
const SIGN_OF_LIFE_MS = 2_000;

/** External dependencies of this process. */
const connect = async (config: Config, logger: Logger, given: Clock | undefined) => {
  // Before anything is opened: invalid settings abort the start.
  connectionOptions(config);
  const names = executionQueueNames(config.natsStream);
  const replicated = { replicas: config.natsStreamReplicas };
  const queues = {
    queue: { ...names, ...replicated },
    overflow: { ...names.overflow, ...replicated },
    isolated: { ...names.isolated, ...replicated },
  };
  const sign = createTokenSigner('executions', () => config.serviceKey);
  const { database, prepared } = await openDatabase({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    schema: SCHEMA,
    migrates: config.migrateAtStart,
    logger,
    prepare: async (connection, now) => {
      const clock = given ?? now;
      const counted = countWritesOf(openStore(connection, clock));
      const everyMs = Math.min(config.sweepMs, SIGN_OF_LIFE_MS);
      const replicas = await joinReplicas({ connection, everyMs, logger });
      return { ...counted, clock, replicas, firstSubscriptions: await counted.store.subscriptions.all() };
    },
  });
  const { store, countWrites, clock, replicas, firstSubscriptions } = prepared;
  const broker = await connectBroker(config, queues, logger);
  const publisher = createQueuedPublisher(broker, queues, logger);
  const workflows = createWorkflowsClient(config.workflowsTarget, sign);
  const credentials = createCredentialsClient(config.credentialsTarget, sign);
  const runner = createRunnerClient(config.runnerTarget, sign);
  const users = connectUserVerifier(config.credentialsTarget, sign);
  const closedProjects = connectClosedProjects(config.credentialsTarget, sign);
  const renewing = closedProjects.start(logger);
  const measuring = startMeasuringStore({
    connection: database.connection,
    isMine: () => replicas.isMine('measure-store'),
    logger,
  });
  const close = async (): Promise<void> => {
    await measuring.stop();
    await publisher.flush();
    await replicas.stop();
    await renewing.stop();
    workflows.close();
    credentials.close();
    runner.close();
    users.close();
    closedProjects.close();
    await broker.close();
    await database.close();
  };
  return {
    names,
    database,
    store,
    countWrites,
    clock,
    broker,
    publisher,
    replicas,
    firstSubscriptions,
    workflows,
    credentials,
    runner,
    users,
    closedProjects,
    close,
  };
};

type Deps = Awaited<ReturnType<typeof connect>>;

const serve = (
  config: Config,
  logger: Logger,
  { database, store, users, clock }: Deps,
  useCases: UseCases,
  loops: Loops,
  signs: RunnerSigns,
) => {
  const auditLog = createAuditLog(database.connection, config.auditDays);
  // Subscriptions are stored in clear anyway.
  const repeat = createRepeatDeps({ connection: database.connection, now: clock, secret: 'executions', logger });
  return startGrpcServer({
    host: config.host,
    port: config.port,
    logger,
    reflection: config.reflection,
    services: [
      ...bindServices({
        useCases,
        chunks: store.chunks,
        log: store.log,
        leaseMs: config.leaseMs,
        signs,
        warn: (facts, text) => logger.warn(facts, text),
        auditLog,
        repeat,
        isReady: database.isReady,
      }),
      bindSharedSettings(sharedSettingsOf(table, config)),
    ],
    authentication: {
      verifyToken: createTokenVerifier('executions', () => config.servicePublicKeys),
      verifyUser: users.verifyUser,
      trustedCallers: ['gateway', 'credentials'],
      onRefused: createRecordRefusal(auditLog.record, logger),
    },
    // The broker carries only hints: without it executions are still accepted, read and reported.
    checkReady: database.isReady,
    checkLive: loops.areAlive,
  });
};

/**
 * Milliseconds in which waiting calls may still get their responses on shutdown; the rest then continues at another
 * replica.
 */
const LAST_ANSWERS_MS = 500;

/** Connections are redirected first, so that callers whose waits end do not return here. */
const stopWaiting = async (drained: Promise<void>, waiters: UseCases['waiters']): Promise<void> => {
  const timer = setTimeout(() => waiters.stop(), LAST_ANSWERS_MS);
  await drained;
  clearTimeout(timer);
};

/**
 * Builds the service and starts it.
 * @param given the time for deadlines, waits and back-offs. Default: that of the store; replaced by tests.
 * @param monotonic monotonic milliseconds, by which the service watches leases.
 */
export const createServer = async (
  config: Config,
  logger: Logger,
  given: Clock | undefined = undefined,
  monotonic: Clock = () => performance.now(),
): Promise<RunningService> => {
  const deps = await connect(config, logger, given);
  const { clock, names, store, broker, publisher, replicas, workflows, closedProjects } = deps;
  const { publish, isSaturating } = publisher;
  const taken = createIdsChannel(broker, names.claimedSubject, publisher.taken);
  const saturating = listenForSaturating(broker, names.saturatingSubject, publisher.noteSaturating);
  const onClaimed = (ids: readonly string[]): void => {
    publisher.taken(ids);
    ids.forEach(taken.send);
  };
  const waitingClaims = createWaitingClaims();
  const offering = createOffering({
    broker,
    subject: names.offersSubject,
    waiting: waitingClaims,
    answerMs: Math.max(1, config.holdAwaitedMs * ANSWER_PART),
    clock: monotonic,
  });
  const hints = createSubscriptionHints(
    broker,
    names,
    () => {
      notifications.known
        .refresh()
        .catch((err: unknown) => logger.warn({ err }, 'changed event subscriptions could not be read yet'));
    },
    (subscriptionId) => notifications.senders.wake(subscriptionId),
  );
  const notifications = composeNotifications({
    config,
    store,
    firstSubscriptions: deps.firstSubscriptions,
    credentials: deps.credentials,
    runner: deps.runner,
    share: replicas,
    hints,
    logger,
    clock,
    monotonic,
  });
  const events = createWriteEvents();
  const followed = createFollowedChannel(broker, names);
  const streamed = createDeltaChannel(broker, names);
  const deltas = createDeltaReaders({ subscribe: streamed.subscribe });
  streamed.connect(deltas);
  const useCases = compose({
    config,
    store,
    workflows,
    notifications,
    scopes: createVisibilityScopes(closedProjects),
    publish,
    isSaturating,
    openOffers: offering.open,
    offersForClaims: waitingClaims,
    onClaimed,
    onFollowed: followed.announce,
    deltas,
    sendDeltas: streamed.send,
    events,
    logger,
    clock,
  });
  followed.connect(useCases.followers);
  const changed = createIdsChannel(broker, names.changedSubject, (ids) => {
    useCases.waiters.changed(ids);
    useCases.followers.hint(ids);
  });
  events.subscribe({ onChanged: changed.send, onStopped: createSendIds(broker, names.stoppedSubject) });
  const listen = (): void => {
    changed.listen();
    taken.listen();
    saturating.listen();
    followed.tick();
    streamed.tick();
    hints.listen();
    publisher.tick();
  };
  const signs = createRunnerSigns(monotonic, () => loops.onRunnerEnd());
  const loops = startLoops({
    config,
    store,
    useCases,
    broker,
    publisher,
    signs,
    share: replicas,
    listen,
    announceQuarantine: createSendQuarantined(broker, names.quarantineSubject),
    countEvents: () => countCallEvents() + deps.countWrites(),
    logger,
    clock,
    monotonic,
  });
  events.subscribe({ onEnded: loops.performActionsSoon });
  const server = await serve(config, logger, deps, useCases, loops, signs);
  offering.announce(addressOf(config.advertise, config.host, server.port));
  server.health.setReady(true);
  return {
    port: server.port,
    health: server.health,
    stop: async () => {
      waitingClaims.close();
      const stored = useCases.storeAll();
      const drained = server.stop(config.drainMs);
      await stopWaiting(drained, useCases.waiters);
      await stored;
      await loops.stop();
      changed.stop();
      taken.stop();
      saturating.stop();
      followed.stop();
      hints.stop();
      await deps.close();
    },
  };
};
