import { executionQueueNames } from '@weft/proto/execution-queue';
import { createTokenSigner, createTokenVerifier } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import { startGrpcServer } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import { startLoop, type RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { closeNats, connectNats } from '@weft/service-kit/nats';
import { createCredentialsClient } from './clients/credentials';
import { createDataTablesClient } from './clients/data-tables';
import { createExecutionsClient } from './clients/executions';
import { createWorkflowsClient } from './clients/workflows';
import type { Config } from './config';
import { PreparedCache } from './domain/engine/prepared-cache';
import { createHeldExecutions } from './domain/held-executions';
import { createSleepers } from './domain/sleepers';
import { createSlots } from './domain/slots';
import { createQueuedExecutions } from './handlers/executions-queued';
import { createHeartbeat } from './jobs/heartbeat';
import { hearStopped } from './messaging/hear-stopped';
import { pullWork } from './messaging/pull-work';
import { createMailSender } from './outbound/mail/mail-sender';
import { createOutboundClient } from './outbound/outbound-client';
import { createRunEnvironment } from './run-environment';
import { CodePool } from './sandbox/code-pool';
import { SandboxRegex } from './sandbox/regex/regex-fallback';

/** Versions of workflows kept ready to run. */
const VERSIONS_KEPT = 500;
/** How often claims are looked at; each is renewed at a third of its lease. */
const HEARTBEAT_MS = 200;
/** After the drain, time for runs that were told to stop to be handed back. */
const HAND_BACK_MS = 5_000;

const within = (work: Promise<unknown>, ms: number): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

/** Wires a runner: pulls ids off NATS, claims, runs, reports; its only gRPC service is health. */
export const createServer = async (config: Config, logger: Logger): Promise<RunningService> => {
  const clock = (): number => performance.now();
  const sign = createTokenSigner('runner', config.serviceKey);
  const runnerId = uuidv7();
  // leases in the store name it: this line tells which process that is
  logger.info({ runnerId }, 'the runner claims executions under this id');
  const executions = createExecutionsClient(config.executionsTarget, sign, runnerId);
  const credentials = createCredentialsClient(config.credentialsTarget, sign);
  const workflows = createWorkflowsClient(config.workflowsTarget, sign);
  const dataTables = createDataTablesClient(config.workflowsTarget, sign);
  const outbound = createOutboundClient({ allow: config.outboundAllow, proxy: config.outboundProxy, noProxy: config.outboundNoProxy });
  const code = new CodePool({ processes: config.sandboxes, memoryMb: config.sandboxMb, timeoutMs: config.codeTimeoutMs });
  const regexFallback = new SandboxRegex();
  const held = createHeldExecutions(clock);
  const slots = createSlots(config.slots);
  const stopping = new AbortController();
  const sleepers = createSleepers({ slots, most: config.sleepers, belowMs: config.waitInProcessMs, stopping: stopping.signal, now: Date.now });
  let isDraining = false;
  const environment = createRunEnvironment({ store: executions.store, credentials, workflows, dataTables, files: executions, outbound, mail: createMailSender(outbound.openSocket), code, regexFallback, config, clock, isDraining: () => isDraining, sleepers });
  const queued = createQueuedExecutions({ store: executions.store, held, slots, versions: new PreparedCache(VERSIONS_KEPT), environment, logger });
  const nats = await connectNats(config.natsUrl, 'weft-runner', logger);
  const puller = pullWork(nats, executionQueueNames(config.natsStream), slots, queued.take, logger);
  const heartbeat = startLoop({ name: 'heartbeat', everyMs: HEARTBEAT_MS, logger, turn: createHeartbeat(executions.store, held, logger) });
  hearStopped(nats, executionQueueNames(config.natsStream), (ids) => {
    if (held.recheck(ids)) heartbeat.wake();
  });
  const server = await startGrpcServer({
    host: config.host,
    port: config.port,
    services: [],
    logger,
    reflection: config.reflection,
    authentication: { verifyToken: createTokenVerifier('runner', config.servicePublicKeys), verifyUser: () => Promise.reject(new Unauthorized()), speakers: [] },
    checkReady: () => Promise.resolve(!nats.isClosed()),
    checkLive: () => heartbeat.isTurning() && puller.isTurning(),
  });
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      server.health.setReady(false);
      // What only waits can wait elsewhere.
      stopping.abort();
      await puller.stop();
      await within(queued.whenIdle(), config.drainMs);
      isDraining = true;
      await within(queued.whenIdle(), HAND_BACK_MS);
      // What is still in the middle of a node is ended there: the node runs again elsewhere.
      for (const claim of held.all()) claim.abort('drain');
      await within(queued.whenIdle(), HAND_BACK_MS);
      await heartbeat.stop();
      await server.stop(1_000);
      await closeNats(nats);
      await code.close();
      await regexFallback.close();
      outbound.close();
      executions.close();
      credentials.close();
      workflows.close();
      dataTables.close();
    },
  };
};
