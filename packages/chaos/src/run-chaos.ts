import { checkApi } from './checks/check-api';
import { checkFailures } from './checks/check-failures';
import { checkEffects, checkSchedules } from './checks/check-effects';
import { checkRecords } from './checks/check-records';
import type { Evidence, StoredKind } from './checks/evidence';
import { carryOutPlan } from './faults/carry-out-plan';
import { createFaultLog } from './faults/fault-log';
import { startKeeper, type Keeper } from './faults/keeper';
import { startEnvironment, type TestEnvironment } from './environment/test-environment';
import { startSink, type Sink } from './environment/sink';
import { createApi, type Api } from './load/api';
import { applyLoad } from './load/apply-load';
import { chooseKinds } from './load/choose-kinds';
import { ATTEMPT_MS, type Endpoints } from './load/client';
import { FAILING_KINDS } from './load/failing-kinds';
import { HEALTHY_KINDS } from './load/healthy-kinds';
import { HOSTILE_KINDS } from './load/hostile-kinds';
import { createJournal, type Journal } from './load/journal';
import { makeHostileUser, storeWorkflows } from './load/store-workflows';
import { killPoisoned } from './faults/kill-poisoned';
import { hurtsServers, isKill } from './plan/fault';
import type { Plan } from './plan/make-plan';
import { quantile, type ChaosResult } from './report';
import { patienceMs, serviceEnv, settleMs, type Pace } from './settings';
import { startReader } from './watch/reader';
import { startRecoveryWatch } from './watch/recovery';
import { startSampler, type Sampler } from './watch/sampler';
import { startZombie } from './watch/zombie';
import { countBy, settle, untilScheduleGoesOn } from './watch/settle';
import { openStoreReader, type StoreReader } from './watch/store';

/** Settings of a run. */
export interface ChaosOptions {
  readonly plan: Plan;
  readonly pace: Pace;
  /** Replicas of each service. */
  readonly replicas: number;
  readonly withHostile: boolean;
  /** Protections to disable. */
  readonly without: readonly string[];
  /** Longest wait for the end of all runs; by the pace if it is absent. */
  readonly settleLimitMs?: number;
  /** Time for which each client tries to have its start accepted; by the pace if it is absent. */
  readonly patienceMs?: number;
  readonly report: (line: string) => void;
}

interface Scene {
  readonly environment: TestEnvironment;
  readonly sink: Sink;
  readonly store: StoreReader;
  readonly api: Api;
  readonly kinds: ReadonlyMap<string, StoredKind>;
  readonly endpoints: Endpoints;
}

/** Of a poisoned run, while no run is isolated. */
const LATE_KILL_MS = 1_500;

const setUp = async (
  { plan, pace, replicas, without, report }: ChaosOptions,
  sink: Sink,
  onEnvironment: (environment: TestEnvironment) => void,
): Promise<Scene> => {
  const environment = await startEnvironment({
    replicas,
    withProxies: true,
    skewMs: plan.skewMs,
    env: serviceEnv(pace),
    ownServers: plan.faults.some(({ fault }) => hurtsServers(fault)),
    withSmallDisk: plan.faults.some(({ fault }) => fault.kind === 'full-disk'),
    without,
    report,
  });
  onEnvironment(environment);
  const { stack } = environment;
  const store = await openStoreReader(stack);
  const api = createApi(stack.baseUrls, stack.apiKey);
  const hostileKey = await makeHostileUser(stack);
  const kinds = new Map([
    ...(await storeWorkflows(api, [...HEALTHY_KINDS, ...FAILING_KINDS], false, sink.url)),
    ...(await storeWorkflows(createApi(stack.baseUrls, hostileKey), HOSTILE_KINDS, true, sink.url)),
  ]);
  const ids = new Map([...kinds].map(([id, { kind }]) => [kind.name, id]));
  const endpoints: Endpoints = {
    baseUrls: stack.baseUrls,
    apiKeyOf: (isHostile) => (isHostile ? hostileKey : stack.apiKey),
    workflowIdOf: (kind) => ids.get(kind) ?? '',
  };
  return { environment, sink, store, api, kinds, endpoints };
};

/** Of starts that do not wait for their run. */
const acceptTimes = ({ entries }: Journal): number[] =>
  entries.flatMap(({ acceptedAt, sentAt, start: { kind, isHostile } }) => {
    const waits = kind.start.by === 'webhook' && (kind.start.answer !== undefined || kind.start.resumes === true);
    return acceptedAt === undefined || isHostile || waits ? [] : [acceptedAt - sentAt];
  });

const disturb = async (options: ChaosOptions, scene: Scene, sampler: Sampler, keeper: Keeper): Promise<ChaosResult> => {
  const { plan, pace, without, report } = options;
  const { environment, sink, store, api, kinds, endpoints } = scene;
  const journal = createJournal();
  const log = createFaultLog();
  const recovery = startRecoveryWatch(store, journal, endpoints, (id) => sampler.claimsOf(id).at(-1)?.fence ?? 0);
  const reader = startReader(api, journal);
  const zombie = startZombie(environment.stack, store);
  // Without isolation the violation must show on any machine: a busy one claims returned runs one by one.
  const afterMs = without.includes('isolation') ? LATE_KILL_MS : 0;
  sink.onPoison = killPoisoned({ environment, sampler, log, keeper }, store, recovery.onBegun, afterMs);
  const began = Date.now();
  await Promise.all([
    applyLoad(chooseKinds(plan.seed, plan.executions, options.withHostile), plan.durationMs, journal, endpoints, {
      attemptMs: ATTEMPT_MS,
      limitMs: options.patienceMs ?? patienceMs(pace),
    }),
    carryOutPlan(plan, { environment, sampler, log, keeper }, { onBegun: recovery.onBegun, report }),
  ]);
  const loadMs = Date.now() - began;
  report('waiting for the end of all runs ...');
  const settled = await settle(store, options.settleLimitMs ?? settleMs(pace), report);
  await Promise.all([recovery.stop(), reader.stop(), zombie.stop()]);
  // probes in progress
  await settle(store, 10_000, report, { givenUp: settled.left });
  const lastFaultAt = Math.max(began, ...log.applied.map(({ endedAt = 0 }) => endedAt));
  await untilScheduleGoesOn(sink, lastFaultAt);
  report('checking ...');
  const scheduled = [...kinds].flatMap(([id, { kind }]) => (kind.start.by === 'schedule' ? [id] : []));
  await Promise.all(scheduled.map((id) => api.deactivate(id)));
  await settle(store, 20_000, report, { schedulesAreActive: false, givenUp: settled.left });
  const rows = await store.all();
  await sampler.stop();
  const evidence: Evidence = {
    rows,
    kinds,
    journal,
    sink,
    faults: log.applied,
    claimsOf: sampler.claimsOf,
    leaseMs: pace.leaseMs,
  };
  const effects = checkEffects(evidence);
  const times = acceptTimes(journal);
  return {
    plan,
    without,
    violations: [
      ...keeper.violations,
      ...sampler.violations,
      ...reader.violations,
      ...zombie.violations,
      ...checkRecords(evidence),
      ...effects.violations,
      ...checkFailures(evidence),
      ...checkSchedules(evidence, lastFaultAt),
      ...(await checkApi(api, store, rows, [...kinds.keys()], reader.firstEnds)),
    ],
    records: rows.length,
    states: countBy(rows.map(({ state }) => state)),
    accepted: journal.entries.filter(({ acceptedAt }) => acceptedAt !== undefined).length,
    offered: environment.offeredCount(),
    retries: journal.retries(),
    slowestAcceptMs: Math.max(0, ...times),
    acceptP99Ms: quantile(times, 0.99),
    faults: countBy(log.applied.map(({ category }) => category)),
    kills: log.applied.filter(({ fault }) => fault === 'poison' || isKill(fault)).length,
    lateReports: zombie.reports(),
    effects: effects.figures,
    repeated: rows.filter(({ fence, state }) => fence > 1 && state !== 'waiting').length,
    crashCount: rows.reduce((sum, { crashes }) => sum + crashes, 0),
    recoveries: recovery.recoveries,
    loadMs,
    settleMs: settled.ms,
  };
};

/** Starts a stack, applies the plan's load and faults, waits for the end of all runs, and checks every promise. */
export const runChaos = async (options: ChaosOptions): Promise<ChaosResult> => {
  const sink = await startSink();
  let environment: TestEnvironment | undefined;
  const closing: (() => Promise<void> | void)[] = [];
  try {
    options.report(`starting ${options.replicas} of each service ...`);
    const scene = await setUp(options, sink, (started) => {
      environment = started;
    });
    options.report(`logs: ${scene.environment.stack.dataDir}/logs`);
    closing.push(() => scene.store.close());
    const keeper = startKeeper(scene.environment);
    closing.push(() => keeper.stop());
    const sampler = startSampler(scene.store);
    closing.push(() => sampler.stop());
    return await disturb(options, scene, sampler, keeper);
  } finally {
    for (const close of closing.reverse()) await close();
    await environment?.stop();
    await sink.stop();
  }
};
