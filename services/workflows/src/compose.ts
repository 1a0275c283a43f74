import { KeyedMutex } from '@weft/service-kit/batching';
import { remainingMs } from '@weft/service-kit/context';
import { uuidv7 } from '@weft/service-kit/ids';
import type { Logger } from '@weft/service-kit/logging';
import { createTakeMine, type Share } from '@weft/service-kit/replicas';
import { withoutTrailing } from '@weft/service-kit/text';
import { onceForEach, SEES_ALL, type VisibilityScopes } from '@weft/service-kit/visibility';
import type { ExecutionsClient } from './clients/executions';
import type { Config } from './config';
import type { SerialChanges } from './domain/workflows/change-workflow';
import { createCheckDefinitions } from './domain/definitions/check-definitions';
import { createLacksCredentials } from './domain/definitions/check-credentials';
import { createChooseOwner, type CheckDestination } from '@weft/service-kit/ownership';
import type { Backfill } from './domain/backfills/backfill';
import { backfillUseCases } from './domain/backfills/backfills';
import { createRunBackfills } from './domain/backfills/run-backfills';
import { appUseCases } from './domain/apps/apps';
import { createCheckApp } from './domain/apps/check-app';
import { createFindAppWorkflows } from './domain/apps/find-app-workflows';
import { type AppPins, createAppPins } from './domain/apps/pin-apps';
import { createExamineDefinition } from './domain/definitions/examine-definition';
import type { FindCredentials } from './domain/definitions/link-credentials';
import { createCollectVersions } from './domain/versions/collect-versions';
import { createFindActor } from './domain/data-tables/actor';
import { rowUseCases } from './domain/data-tables/rows';
import { tableUseCases } from './domain/data-tables/tables';
import { createDeliver, createDeliverDue, type Deliver } from './domain/deliveries/deliver';
import { deliveryUseCases } from './domain/deliveries/deliveries';
import type { StartDelivery } from './domain/deliveries/delivery';
import { createParkedCalls } from './domain/deliveries/park-deliveries';
import { createStoreDelivery } from './domain/deliveries/store-delivery';
import { createDerivedVersions } from './domain/versions/derived-versions';
import { fileUseCases } from './domain/file-area/files';
import type { CallHook, Hook, HookSelection } from './domain/hooks/hook';
import { createHookRequests } from './domain/hooks/hook-requests';
import { createKeepHooks } from './domain/hooks/keep-hooks';
import { createListRegistrations, type ListRegistrations } from './domain/hooks/list-registrations';
import { createStoreWithHooks, type StoreWithHooks } from './domain/hooks/store-with-hooks';
import { createFireSchedules } from './domain/schedule/fire-schedules';
import { createListSchedules } from './domain/schedule/list-schedules';
import { listeningUseCases } from './domain/listening/listen';
import { testCalls } from './domain/listening/test-calls';
import { createNodeTypes } from './domain/definitions/node-types';
import { createListCredentialWorkflows } from './domain/definitions/credential-workflows';
import { ownershipUseCases } from './domain/ownership';
import { conversationUseCases } from './domain/versions/conversations';
import { stateUseCases } from './domain/versions/persistent-state';
import type { DueWorkflow } from './domain/ports';
import { createPrepareStarts } from './domain/versions/prepare-starts';
import { createPreviewSchedule } from './domain/schedule/preview-schedule';
import { versionReads } from './domain/versions/read-versions';
import { createViewWorkflows, workflowReads } from './domain/workflows/read-workflows';
import { createResolveWebhooks } from './domain/routes/resolve-webhooks';
import { createListReleases } from './domain/routes/route-releases';
import { withinScope } from './domain/scoped-stores';
import { createReadVariables, variableUseCases } from './domain/variables/variables';
import { readVersionFacts } from './domain/versions/version-facts';
import { createGetVersions } from './domain/versions/versions';
import { workflowWrites } from './domain/workflows/write-workflows';
import type { Stores } from './store/stores';
import { countHookRequest } from './observing/observe-hooks';
import { observeStarts } from './observing/observe-starts';

/** Dependencies of the use cases. */
export interface Deps {
  readonly config: Config;
  readonly stores: Stores;
  readonly executions: Pick<ExecutionsClient, 'checkClaim' | 'startScheduled' | 'findReferenced'>;
  readonly checkDestination: CheckDestination;
  readonly findCredentials: FindCredentials;
  readonly scopes: VisibilityScopes;
  readonly startDelivery: StartDelivery;
  readonly callHook: CallHook;
  /** Called when hooks are due. */
  readonly onHooksDue: () => void;
  /** This replica's share of the background work. */
  readonly share: Share;
  /** Called when a stored backfill can begin. */
  readonly onBackfillStarted: () => void;
  /** Unix milliseconds by the clock of the store. */
  readonly clock: () => number;
  readonly logger: Logger;
}

/** Size of the cache of definitions; the cache of their facts has a quarter of it. */
const VERSION_CACHE_BYTES = 64_000_000;

/** Maximum wait for earlier changes: the duration of a request. */
const MAX_WAIT_MS = 30_000;

/** Cached definitions and their facts. */
const composeVersions = ({ stores: { versions: store } }: Deps) => ({
  facts: createDerivedVersions({
    store,
    derive: readVersionFacts,
    costOf: ({ cost }) => cost,
    maxCost: VERSION_CACHE_BYTES / 4,
  }),
  view: createViewWorkflows(
    createDerivedVersions({
      store,
      derive: ({ definition }) => Buffer.from(definition),
      costOf: ({ length }) => length,
      maxCost: VERSION_CACHE_BYTES,
    }),
  ),
});

type Versions = ReturnType<typeof composeVersions>;

const serializeChanges = (): SerialChanges => {
  const mutex = new KeyedMutex(MAX_WAIT_MS);
  return { oneByOne: (key, work) => mutex.take(key, work), remainingMs };
};

const composeWorkflows = (deps: Deps, { facts }: Pick<Versions, 'facts'>, appPins: AppPins) => {
  const { apps, workflows, versions, reviews } = deps.stores;
  return {
    resolveWebhooks: createResolveWebhooks(workflows, facts, deps.stores.hooks),
    listReleases: createListReleases(workflows),
    prepareStarts: createPrepareStarts({
      workflows,
      versions,
      facts,
      appPins,
      examineDefinition: createExamineDefinition(deps.findCredentials, appPins.pinApps),
    }),
    getVersions: createGetVersions(versions),
    ...testCalls({ listenings: deps.stores.listenings, workflows, facts, clock: deps.clock }),
    listCredentialWorkflows: createListCredentialWorkflows(workflows, versions, deps.scopes),
    nodeTypes: createNodeTypes(apps),
    apps: appUseCases({
      apps,
      checkApp: createCheckApp(),
      findAppWorkflows: createFindAppWorkflows(workflows, versions),
    }),
    collectVersions: createCollectVersions({
      reviews,
      workflows,
      findReferenced: deps.executions.findReferenced,
      clock: deps.clock,
      onRemoved: (count) => deps.logger.info({ count }, 'unused versions removed'),
    }),
  };
};

const composeSchedules = ({ stores, executions, share, config, logger }: Deps) => {
  const { workflows, backfills, schedules } = stores;
  const { defaultTimezone } = config;
  const start = executions.startScheduled;
  return {
    defaultTimezone,
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
      // Starts of backfills are late on purpose.
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

const composeDeliveries = ({ stores: { deliveries: store, workflows }, startDelivery, clock }: Deps) => {
  const deliver = createDeliver({ store, workflows, start: startDelivery, clock, random: Math.random });
  return {
    deliver,
    storeDelivery: createStoreDelivery(store, workflows, clock),
    deliverDue: createDeliverDue(store, deliver, clock),
    pendingDeliveries: store.pending,
  };
};

/** Keeping the webhooks of triggers as their workflows are. */
const composeHooks = (deps: Deps) => {
  const { stores, callHook, config, clock, share, logger } = deps;
  const { hooks: store, workflows, versions } = stores;
  const base = withoutTrailing(config.webhookHost === '' ? config.publicUrl : config.webhookHost, '/');
  const requests = createHookRequests({
    store,
    callHook,
    base,
    clock,
    newId: uuidv7,
    random: Math.random,
    noteRequest: countHookRequest,
  });
  const wake = deps.onHooksDue;
  return {
    keepHooks: createKeepHooks({
      store,
      workflows,
      versions,
      requests,
      takeMine: createTakeMine({ share, idOf: ({ id }: Hook) => id, dueOf: ({ nextAt }: Hook) => nextAt }),
      clock,
      onTrouble: ({ workflowId, node, kind }, message) =>
        logger.warn({ workflowId, node, kind, reason: message }, 'a trigger could not be registered or removed'),
      onError: (err) => logger.error({ err }, 'a trigger could not be kept'),
    }),
    storeWithHooks: createStoreWithHooks({ store, versions, requests, callHook, wake, clock }),
    listRegistrations: createListRegistrations({ store, versions, base }),
    recheckHooks: async (selection: HookSelection): Promise<void> => {
      await store.recheck(selection, new Date(clock()));
      wake();
    },
    recheckMovedHooks: () => store.recheckMoved(base, new Date(clock())),
  };
};

/** Dependencies shared by the use cases of all visibility scopes. */
interface Shared {
  readonly storeWithHooks: StoreWithHooks;
  readonly listRegistrations: ListRegistrations;
  readonly versions: Versions;
  readonly deliver: Deliver;
  readonly appPins: AppPins;
}

/** Creates the use cases for a visibility scope, once for each scope. */
const composeScoped = (deps: Deps, shared: Shared) => {
  const { deliver, storeWithHooks, listRegistrations, appPins } = shared;
  const { view } = shared.versions;
  const { versions, backfills, rows, state, fileAreas, listenings } = deps.stores;
  const { defaultTimezone } = deps.config;
  const parkedCalls = createParkedCalls(deps.stores.deliveries, Date.now);
  const chooseOwner = createChooseOwner(deps.checkDestination);
  const examineDefinition = createExamineDefinition(deps.findCredentials, appPins.pinApps);
  const [serial, serialFiles] = [serializeChanges(), serializeChanges()];
  return onceForEach((scope) => {
    const { workflows, variables, tables, deliveries } = withinScope(deps.stores, scope);
    const schedules = { workflows, versions, defaultTimezone };
    const belongings = [state, fileAreas, listenings];
    return {
      variables,
      ...workflowReads(workflows, view),
      ...versionReads(workflows, versions),
      ...conversationUseCases({ conversations: deps.stores.conversations, workflows }),
      ...workflowWrites({
        workflows,
        versions,
        belongings,
        view,
        defaultTimezone,
        chooseOwner,
        examineDefinition,
        serial,
        parkedCalls,
        storeWithHooks,
      }),
      checkDefinitions: createCheckDefinitions({ workflows, chooseOwner, examineDefinition }),
      previewSchedule: createPreviewSchedule({ ...schedules, listRegistrations }),
      listSchedules: createListSchedules(deps.stores.schedules, scope),
      ...backfillUseCases({ ...schedules, backfills, onStarted: deps.onBackfillStarted }),
      ...deliveryUseCases(deliveries, deliver),
      ...listeningUseCases({ listenings, workflows, versions, examineDefinition, clock: deps.clock }),
      ...variableUseCases(variables, chooseOwner),
      ...tableUseCases(tables, { rows, chooseOwner }),
      ...rowUseCases({ tables, rows }),
      ...fileUseCases({ areas: fileAreas, workflows, checkClaim: deps.executions.checkClaim, serial: serialFiles }),
    };
  });
};

/** Creates the use cases. */
export const compose = (deps: Deps) => {
  const { state, workflows, ownership } = deps.stores;
  const { checkClaim } = deps.executions;
  const { scopes } = deps;
  const versions = composeVersions(deps);
  const deliveries = composeDeliveries(deps);
  const appPins = createAppPins(deps.stores.apps);
  const hooks = composeHooks(deps);
  const { deliver } = deliveries;
  const { storeWithHooks, listRegistrations } = hooks;
  const within = composeScoped(deps, { versions, deliver, storeWithHooks, listRegistrations, appPins });
  return {
    ...hooks,
    ...composeWorkflows(deps, versions, appPins),
    ...composeSchedules(deps),
    ...deliveries,
    ...ownershipUseCases(
      ownership,
      createLacksCredentials(workflows, deps.stores.versions, deps.findCredentials),
      hooks.recheckHooks,
    ),
    findActor: createFindActor(checkClaim),
    ...stateUseCases({ state, workflows, checkClaim, chatDays: deps.config.chatMemoryDays }),
    readVariables: createReadVariables(checkClaim, async (ownerId) => within(await scopes.ofRun(ownerId)).variables),
    scopes,
    within,
    /** Called by services for a run, whose claim limits them to what belongs to the run. */
    ofRuns: within(SEES_ALL),
  };
};

export type UseCases = ReturnType<typeof compose>;

/** The use cases on objects with owners, for one visibility scope. */
export type ScopedUseCases = ReturnType<UseCases['within']>;

/** Access to the use cases of one caller. */
export type Within = Pick<UseCases, 'scopes' | 'within'>;
