import { KeyedMutex } from '@weft/service-kit/batching';
import { remainingMs } from '@weft/service-kit/context';
import type { Logger } from '@weft/service-kit/logging';
import { createTakeMine, type Share } from '@weft/service-kit/replicas';
import type { ExecutionsClient } from './clients/executions';
import type { Config } from './config';
import type { ChangeTurns } from './domain/change-workflow';
import { createChooseOwner, type CheckDestination, type ChooseOwner } from './domain/choose-owner';
import type { Backfill } from './domain/backfills/backfill';
import { backfillUseCases } from './domain/backfills/backfills';
import { createRunBackfills } from './domain/backfills/run-backfills';
import { createCollectVersions } from './domain/collect-versions';
import { createFindActor } from './domain/data-tables/actor';
import { rowUseCases } from './domain/data-tables/rows';
import { tableUseCases } from './domain/data-tables/tables';
import { createDeliver, createDeliverDue } from './domain/deliveries/deliver';
import { deliveryUseCases } from './domain/deliveries/deliveries';
import type { StartDelivery } from './domain/deliveries/delivery';
import { createStoreDelivery } from './domain/deliveries/store-delivery';
import { createDerivedVersions } from './domain/derived-versions';
import { fileUseCases } from './domain/file-area/files';
import { createFireSchedules } from './domain/fire-schedules';
import { createNodeTypes } from './domain/node-types';
import { createIndexCredentials, createListCredentialWorkflows } from './domain/credential-workflows';
import { ownershipUseCases } from './domain/ownership';
import { stateUseCases } from './domain/persistent-state';
import type { DueWorkflow } from './domain/ports';
import { createPrepareStarts } from './domain/prepare-starts';
import { createPreviewSchedule } from './domain/preview-schedule';
import { createViewWorkflows, workflowReads } from './domain/read-workflows';
import { createResolveWebhooks } from './domain/resolve-webhooks';
import { variableUseCases } from './domain/variables/variables';
import { readVersionFacts } from './domain/version-facts';
import { createGetVersions } from './domain/versions';
import { workflowWrites } from './domain/write-workflows';
import type { Stores } from './store/stores';
import { observeStarts } from './observing/observe-starts';

/** Dependencies of the use cases. */
export interface Deps {
  readonly config: Config;
  readonly stores: Stores;
  readonly executions: Pick<ExecutionsClient, 'checkClaim' | 'startScheduled' | 'findReferenced'>;
  readonly checkDestination: CheckDestination;
  readonly startDelivery: StartDelivery;
  /** Share of the background work that is this replica's. */
  readonly share: Share;
  /** Called when a backfill was stored and may begin. */
  readonly onBackfillStarted: () => void;
  readonly logger: Logger;
}

const BYTES_PER_MB = 1_000_000;

/** Maximum wait for the turn of a change: the time that its request has. */
const MAX_TURN_MS = 30_000;

/** Definitions and their facts, cached. */
const composeVersions = ({ stores: { versions: store }, config: { versionCacheMb } }: Deps) => ({
  facts: createDerivedVersions({
    store,
    derive: readVersionFacts,
    costOf: ({ cost }) => cost,
    maxCost: (versionCacheMb * BYTES_PER_MB) / 4,
  }),
  view: createViewWorkflows(
    createDerivedVersions({
      store,
      derive: ({ definition }) => Buffer.from(definition),
      costOf: ({ length }) => length,
      maxCost: versionCacheMb * BYTES_PER_MB,
    }),
  ),
});

const createTurns = (): ChangeTurns => {
  const mutex = new KeyedMutex(MAX_TURN_MS);
  return { takeTurn: (key, work) => mutex.take(key, work), remainingMs };
};

const composeWorkflows = (deps: Deps, chooseOwner: ChooseOwner) => {
  const { workflows, versions, state, fileAreas, reviews } = deps.stores;
  const { facts, view } = composeVersions(deps);
  const { defaultTimezone } = deps.config;
  return {
    ...workflowReads(workflows, view),
    ...workflowWrites({
      workflows,
      versions,
      belongings: [state, fileAreas],
      view,
      defaultTimezone,
      chooseOwner,
      turns: createTurns(),
    }),
    resolveWebhooks: createResolveWebhooks(workflows, facts),
    prepareStarts: createPrepareStarts({ workflows, versions, facts }),
    getVersions: createGetVersions(versions),
    listCredentialWorkflows: createListCredentialWorkflows(workflows, versions),
    indexCredentials: createIndexCredentials(workflows, versions),
    nodeTypes: createNodeTypes(),
    collectVersions: createCollectVersions({
      reviews,
      workflows,
      findReferenced: deps.executions.findReferenced,
      clock: Date.now,
      onRemoved: (count) => deps.logger.info({ count }, 'unused versions removed'),
    }),
  };
};

const composeSchedules = ({ stores, executions, share, config, onBackfillStarted, logger }: Deps) => {
  const { workflows, versions, backfills, schedules } = stores;
  const { defaultTimezone } = config;
  const start = executions.startScheduled;
  return {
    defaultTimezone,
    previewSchedule: createPreviewSchedule({ workflows, versions, defaultTimezone }),
    ...backfillUseCases({ workflows, versions, defaultTimezone, backfills, onStarted: onBackfillStarted }),
    runBackfills: createRunBackfills({
      backfills,
      start,
      defaultTimezone,
      findHeads: workflows.findHeads,
      takeMine: createTakeMine({
        share,
        idOf: ({ id }: Backfill) => id,
        dueOf: ({ updatedAt }: Backfill) => updatedAt,
      }),
    }),
    fireSchedules: createFireSchedules({
      schedules,
      // Those of backfills are late on purpose.
      start: observeStarts(start, Date.now),
      defaultTimezone,
      takeMine: createTakeMine({
        share,
        idOf: ({ workflowId }: DueWorkflow) => workflowId,
        dueOf: ({ checkAt }: DueWorkflow) => checkAt,
      }),
      onTrouble: (workflowId, { node, trouble }) =>
        logger.warn({ workflowId, node, ...trouble }, 'scheduled start failed'),
      random: Math.random,
    }),
  };
};

const composeDeliveries = ({ stores: { deliveries: store, workflows }, startDelivery }: Deps) => {
  const deliver = createDeliver({ store, workflows, start: startDelivery, clock: Date.now, random: Math.random });
  return {
    storeDelivery: createStoreDelivery(store, workflows, Date.now),
    ...deliveryUseCases(store, deliver),
    deliverDue: createDeliverDue(store, deliver, Date.now),
  };
};

/** Puts the use cases together. */
export const compose = (deps: Deps) => {
  const { variables, tables, rows, state, fileAreas, workflows, ownership } = deps.stores;
  const { checkClaim } = deps.executions;
  const chooseOwner = createChooseOwner(deps.checkDestination);
  return {
    ...composeWorkflows(deps, chooseOwner),
    ...composeSchedules(deps),
    ...composeDeliveries(deps),
    ...ownershipUseCases(ownership),
    ...variableUseCases(variables, { checkClaim, chooseOwner }),
    ...tableUseCases(tables, { rows, chooseOwner }),
    ...rowUseCases({ tables, rows }),
    findActor: createFindActor(checkClaim),
    ...stateUseCases({ state, workflows, checkClaim }),
    ...fileUseCases({ areas: fileAreas, workflows, checkClaim, turns: createTurns() }),
  };
};

/** The use cases of this service. */
export type UseCases = ReturnType<typeof compose>;
