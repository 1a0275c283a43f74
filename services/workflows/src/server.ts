import { DataTableServiceService } from '@weft/proto/data-tables';
import { DeliveryServiceService } from '@weft/proto/deliveries';
import { ScheduleServiceService } from '@weft/proto/schedules';
import { VariableServiceService } from '@weft/proto/variables';
import { StateServiceService } from '@weft/proto/workflow-state';
import { WorkflowServiceService } from '@weft/proto/workflows';
import { createTokenSigner, createTokenVerifier } from '@weft/service-kit/auth';
import { bindService, startGrpcServer, type BoundService } from '@weft/service-kit/grpc';
import { connectUserVerifier } from '@weft/service-kit/identity';
import type { RunningService } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { joinReplicas } from '@weft/service-kit/replicas';
import { createExecutionsClient, type ExecutionsClient } from './clients/executions';
import { createDeliveryStarter } from './clients/start-delivery';
import type { WorkflowsConfig } from './config';
import { createFindActor } from './domain/data-tables/actor';
import { rowUseCases } from './domain/data-tables/rows';
import { tableUseCases } from './domain/data-tables/tables';
import { stateUseCases } from './domain/persistent-state';
import { variableUseCases } from './domain/variables/variables';
import {
  DATA_TABLE_ACCESS,
  DELIVERY_ACCESS,
  SCHEDULE_ACCESS,
  STATE_ACCESS,
  VARIABLE_ACCESS,
  WORKFLOW_ACCESS,
} from './handlers/access';
import { dataTableHandlers } from './handlers/data-tables';
import { stateHandlers } from './handlers/persistent-state';
import { variableHandlers } from './handlers/variables';
import { ensureBackfillIndexes } from './store/backfill-store';
import { createDataTableStore, ensureDataTableIndexes } from './store/data-table-store';
import { ensureDeliveryIndexes } from './store/delivery-store';
import { createRowStore, ensureRowIndexes } from './store/row-store';
import { createStateStore, ensureStateIndexes } from './store/state-store';
import { createVariableStore, ensureVariableIndexes } from './store/variable-store';
import { createVersionStore, ensureVersionIndexes } from './store/version-store';
import { createWorkflowStore, ensureWorkflowIndexes } from './store/workflow-store';
import { wireDeliveries } from './wire-deliveries';
import { wireHandlers } from './wire-handlers';
import { wireSchedules } from './wire-schedules';
import { collectVersions } from './wire-versions';

/** Milliseconds between two signs of life for the other replicas, at most. */
const SIGN_OF_LIFE_MS = 2_000;

/** Milliseconds between two looks for versions that nothing needs. */
const COLLECT_MS = 60_000;

const ensureIndexes = ({ connection }: Database): Promise<unknown> =>
  Promise.all(
    [
      ensureWorkflowIndexes,
      ensureVersionIndexes,
      ensureBackfillIndexes,
      ensureStateIndexes,
      ensureVariableIndexes,
      ensureDataTableIndexes,
      ensureRowIndexes,
      ensureDeliveryIndexes,
    ].map((ensure) => ensure(connection)),
  );

const bindServices = (
  { connection }: Database,
  { checkClaim }: ExecutionsClient,
  values: WorkflowsConfig,
): BoundService[] => {
  const workflows = createWorkflowStore(connection);
  const state = createStateStore(connection);
  const tables = createDataTableStore(connection);
  const rows = createRowStore(connection);
  const handlers = wireHandlers({
    workflows,
    state,
    versions: createVersionStore(connection),
    defaultTimezone: values.defaultTimezone,
    cacheBytes: values.versionCacheMb * 1_000_000,
  });
  return [
    bindService(WorkflowServiceService, handlers, WORKFLOW_ACCESS),
    bindService(StateServiceService, stateHandlers(stateUseCases({ state, workflows, checkClaim })), STATE_ACCESS),
    bindService(
      VariableServiceService,
      variableHandlers(variableUseCases(createVariableStore(connection), checkClaim)),
      VARIABLE_ACCESS,
    ),
    bindService(
      DataTableServiceService,
      dataTableHandlers({
        findActor: createFindActor(checkClaim),
        tables: tableUseCases(tables, rows),
        rows: rowUseCases({ tables, rows }),
      }),
      DATA_TABLE_ACCESS,
    ),
  ];
};

/**
 * Starts the workflows service: store, indexes, RPCs, background work.
 * @param collectMs another pause between two looks for versions that nothing needs
 */
export const createServer = async (
  values: WorkflowsConfig,
  logger: Logger,
  collectMs: number = COLLECT_MS,
): Promise<RunningService> => {
  const sign = createTokenSigner('workflows', values.serviceKey);
  const database = await connectDatabase(values.mongodbUri, values.mongodbDatabase);
  await ensureIndexes(database);
  const users = connectUserVerifier(values.credentialsTarget, sign);
  const executions = createExecutionsClient(values.executionsTarget, sign);
  const replicas = await joinReplicas({
    connection: database.connection,
    everyMs: Math.min(SIGN_OF_LIFE_MS, 2 * values.schedulePollMs),
    logger,
  });
  const schedules = wireSchedules({
    connection: database.connection,
    start: executions.startScheduled,
    share: replicas,
    defaultTimezone: values.defaultTimezone,
    everyMs: values.schedulePollMs,
    logger,
  });
  const starter = createDeliveryStarter(values.executionsTarget, sign);
  const deliveries = wireDeliveries(database.connection, starter.start, logger);
  const versions = collectVersions({
    connection: database.connection,
    findReferred: executions.findReferred,
    share: replicas,
    everyMs: collectMs,
    logger,
  });
  const loops = [...schedules.loops, deliveries.startLoop(), versions];
  const server = await startGrpcServer({
    host: values.host,
    port: values.port,
    services: [
      ...bindServices(database, executions, values),
      bindService(DeliveryServiceService, deliveries.methods, DELIVERY_ACCESS),
      bindService(ScheduleServiceService, schedules.methods, SCHEDULE_ACCESS),
    ],
    authentication: {
      verifyToken: createTokenVerifier('workflows', values.servicePublicKeys),
      verifyUser: users.verifyUser,
      trustedCallers: ['gateway'],
    },
    logger,
    reflection: values.reflection,
    checkReady: database.isReady,
    checkLive: () => loops.every((loop) => loop.isTurning()),
  });
  server.health.setReady(true);
  return {
    port: server.port,
    stop: async () => {
      await Promise.all([server.stop(values.drainMs), ...loops.map((loop) => loop.stop())]);
      await replicas.stop();
      executions.close();
      starter.close();
      users.close();
      await database.close();
    },
  };
};
