import { executionQueueNames } from '@weft/proto/execution-queue';
import { ExecutionServiceService } from '@weft/proto/executions';
import { RunnerServiceService } from '@weft/proto/runner';
import { createTokenSigner, createTokenVerifier, createVerifyUser } from '@weft/service-kit/auth';
import { Unavailable } from '@weft/service-kit/errors';
import { bindService, startGrpcServer } from '@weft/service-kit/grpc';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { connectDatabase } from '@weft/service-kit/mongo';
import { createCredentialsClient } from './clients/credentials';
import { createWorkflowsClient } from './clients/workflows';
import type { Config } from './config';
import { createClaim } from './domain/claim-executions';
import type { Clock } from './domain/ports';
import { createQueueLimit } from './domain/queue-limit';
import { createReportExecution } from './domain/report-executions';
import { createStartExecution } from './domain/start-execution';
import { createVersionCache } from './domain/version-cache';
import { EXECUTION_ACCESS, RUNNER_ACCESS } from './handlers/access';
import { claimHandler } from './handlers/claim';
import { getExecutionHandler } from './handlers/get-execution';
import { reportHandler } from './handlers/report';
import { startExecutionHandler } from './handlers/start-execution';
import { startExecutionsHandler } from './handlers/start-executions';
import { connectBroker } from './messaging/broker';
import { createQueuedPublisher } from './messaging/publish-queued';
import { createApplyWrite } from './store/apply-writes';
import { chunkModel, ensureChunkIndexes } from './store/chunk-schema';
import { createChunkStore } from './store/chunk-store';
import { createClaimExecutions } from './store/claim-executions';
import { ensureExecutionIndexes } from './store/execution-indexes';
import { executionModel } from './store/execution-schema';
import { createCountQueued, createFindByKey } from './store/find-executions';
import { createInsertExecution } from './store/insert-executions';
import { createReadExecution } from './store/read-executions';

const DAY_MS = 86_400_000;

const later = () => Promise.reject(new Unavailable('Not served yet.'));
async function* laterStream(): AsyncGenerator<never> { throw new Unavailable('Not served yet.'); }

export const createServer = async (config: Config, logger: Logger, clock: Clock = Date.now): Promise<RunningService> => {
  const sign = createTokenSigner('executions', config.serviceKey);
  const database = await connectDatabase(config.mongodbUri, config.mongodbDatabase);
  const model = executionModel(database.connection);
  const chunkDocuments = chunkModel(database.connection);
  await ensureExecutionIndexes(model);
  await ensureChunkIndexes(chunkDocuments);
  const queue = { ...executionQueueNames(config.natsStream), replicas: config.natsStreamReplicas };
  const broker = await connectBroker(config.natsUrl, queue, logger);
  await broker.ensureQueue().catch((error: unknown) => logger.warn({ err: error }, 'the queue cannot be made now'));
  const publisher = createQueuedPublisher(broker, queue, logger);
  const workflows = createWorkflowsClient(config.workflowsTarget, sign);
  const credentials = createCredentialsClient(config.credentialsTarget, sign);
  const getVersion = createVersionCache(workflows.fetchVersion);
  const chunks = createChunkStore(chunkDocuments);
  const apply = createApplyWrite(model);
  const retentionMs = config.retentionDays * DAY_MS;
  const start = createStartExecution({
    prepareStart: workflows.prepareStart, getVersion, insert: createInsertExecution(model), findByKey: createFindByKey(model), chunks,
    checkRoom: createQueueLimit(createCountQueued(model), config.queueLimit, clock), publish: publisher.publish, clock,
  });
  const claim = createClaim({ claim: createClaimExecutions(model), apply, getVersion, clock, leaseMs: config.leaseMs, retentionMs });
  const report = createReportExecution({ apply, chunks, clock, retentionMs });
  const read = createReadExecution(model);
  const server = await startGrpcServer({
    host: config.host, port: config.port, logger, reflection: config.reflection,
    services: [
      bindService(ExecutionServiceService, {
        startExecution: startExecutionHandler(start), startExecutions: startExecutionsHandler(start), getExecution: getExecutionHandler(read),
        readExecutionData: laterStream, listExecutions: later, deleteExecution: later, cancelExecution: later, resumeExecution: later, checkClaim: later,
      }, EXECUTION_ACCESS),
      bindService(RunnerServiceService, {
        claim: claimHandler(claim, config.leaseMs), report: reportHandler(report), heartbeat: later, checkpoint: later, respond: later, wait: later, handBack: later,
        startChild: later, putChunk: later, getChunk: laterStream, readNodeRuns: laterStream,
      }, RUNNER_ACCESS),
    ],
    authentication: { verifyToken: createTokenVerifier('executions', config.servicePublicKeys), verifyUser: createVerifyUser(credentials.askVerification), speakers: ['gateway'] },
    checkReady: database.isReady,
    checkLive: () => true,
  });
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      await server.stop(config.drainMs);
      await publisher.flush();
      workflows.close();
      credentials.close();
      await broker.close();
      await database.close();
    },
  };
};
