import { WorkUnderWay } from '@weft/service-kit/in-flight';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppliedFault } from '../faults/fault-log';
import { sendStart, type Endpoints } from '../load/client';
import { HEALTHY_KINDS } from '../load/healthy-kinds';
import type { Journal } from '../load/journal';
import type { StoreReader } from './store';

/** Recovery times after faults, in milliseconds, by category of fault. */
export interface Recoveries {
  /** To the first run that was started after the fault, ran and answered its caller. */
  readonly service: ReadonlyMap<string, readonly number[]>;
  /** To the next claim or the end of each run that a runner held when it was hit. */
  readonly runs: ReadonlyMap<string, readonly number[]>;
}

/** Measures recoveries. */
export interface RecoveryWatch {
  readonly onBegun: (applied: AppliedFault) => void;
  readonly recoveries: Recoveries;
  readonly stop: () => Promise<void>;
}

interface Affected {
  readonly category: string;
  readonly since: number;
  readonly fence: number;
}

const PROBE_EVERY_MS = 250;
const PROBE_LIMIT_MS = 60_000;
/** For each fault: more of them would burden a stack that recovers slowly. */
const MAX_UNANSWERED = 8;
const PROBE_PATIENCE = { attemptMs: 10_000, limitMs: 0 };
const LOOK_EVERY_MS = 300;
const IS_END = new Set(['success', 'error', 'crashed', 'cancelled']);

const add = (map: Map<string, number[]>, category: string, ms: number): void =>
  void map.set(category, [...(map.get(category) ?? []), ms]);

/** Begins to watch. @param fenceOf the fence under which a run was last seen */
export const startRecoveryWatch = (
  store: StoreReader,
  journal: Journal,
  endpoints: Endpoints,
  fenceOf: (executionId: string) => number,
): RecoveryWatch => {
  const service = new Map<string, number[]>();
  const runs = new Map<string, number[]>();
  const open = new Map<string, Affected>();
  const probes = new WorkUnderWay();
  const kind = HEALTHY_KINDS.find(({ name }) => name === 'awaited');
  let probeCount = 0;
  let isStopped = false;
  if (kind === undefined) throw new Error('There is no kind to probe with.');

  const probe = async (category: string, since: number): Promise<void> => {
    let isAnswered = false;
    const unanswered = new WorkUnderWay();
    const sendOne = async (): Promise<void> => {
      probeCount += 1;
      const entry = journal.open({ index: probeCount, kind, isHostile: false }, true);
      await sendStart(entry, endpoints, PROBE_PATIENCE);
      if (entry.acceptedAt === undefined || isAnswered) return;
      isAnswered = true;
      add(service, category, entry.acceptedAt - since);
    };
    while (!isAnswered && !isStopped && Date.now() - since < PROBE_LIMIT_MS) {
      if (unanswered.size < MAX_UNANSWERED) void unanswered.track(sendOne());
      await sleep(PROBE_EVERY_MS);
    }
    await Promise.all(unanswered);
  };
  const look = async (): Promise<void> => {
    try {
      for (const { _id, state, fence } of await store.byIds([...open.keys()])) {
        const affected = open.get(_id);
        if (affected === undefined || (fence <= affected.fence && !IS_END.has(state))) continue;
        open.delete(_id);
        add(runs, affected.category, Date.now() - affected.since);
      }
    } catch {
      // the database is unreachable: the next poll shows it
    }
  };
  const loop = (async () => {
    while (!isStopped) {
      if (open.size > 0) await look();
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return {
    onBegun: ({ category, startedAt, affected }) => {
      for (const id of affected) if (!open.has(id)) open.set(id, { category, since: startedAt, fence: fenceOf(id) });
      void probes.track(probe(category, startedAt));
    },
    recoveries: { service, runs },
    stop: async () => {
      isStopped = true;
      await Promise.all([loop, ...probes]);
    },
  };
};
