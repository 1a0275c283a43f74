import { WorkflowServiceService } from '@weft/proto/workflows';
import { createTokenSigner, createTokenVerifier, createVerifyUser } from '@weft/service-kit/auth';
import { bindService, startGrpcServer } from '@weft/service-kit/grpc';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { connectDatabase } from '@weft/service-kit/mongo';
import { createCredentialsClient } from './clients/credentials';
import type { WorkflowsConfig } from './config';
import { ACCESS } from './handlers/methods';
import { createVersionStore } from './store/version-store';
import { createWorkflowStore, ensureWorkflowIndexes } from './store/workflow-store';
import { wireHandlers } from './wire-handlers';

/** Starts the workflows service: store, indexes, RPCs. */
export const createServer = async (values: WorkflowsConfig, logger: Logger): Promise<RunningService> => {
  const sign = createTokenSigner('workflows', values.serviceKey);
  const database = await connectDatabase(values.mongodbUri, values.mongodbDatabase);
  await ensureWorkflowIndexes(database.connection);
  const credentials = createCredentialsClient(values.credentialsTarget, sign);
  const handlers = wireHandlers({
    workflows: createWorkflowStore(database.connection),
    versions: createVersionStore(database.connection),
    defaultTimezone: values.defaultTimezone,
    cacheBytes: values.versionCacheMb * 1_000_000,
  });
  const server = await startGrpcServer({
    host: values.host,
    port: values.port,
    services: [bindService(WorkflowServiceService, handlers, ACCESS)],
    authentication: {
      verifyToken: createTokenVerifier('workflows', values.servicePublicKeys),
      verifyUser: createVerifyUser(credentials.verify),
      speakers: ['gateway'],
    },
    logger,
    reflection: values.reflection,
    checkReady: database.isReady,
    checkLive: () => true,
  });
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      await server.stop(values.drainMs);
      credentials.close();
      await database.close();
    },
  };
};
