import type { RunnerSigns } from '../domain/claim/runner-signs';
import { crashDelayMs, DISCONNECTED_MS, leaseGraceMs, regroupDelayMs } from '../domain/state/back-off';
import {
  chargeOf,
  crashesOf,
  crashWrite,
  expireWrite,
  hasActed,
  isBlamed,
  isDeadly,
  isGivenUp,
  isIsolated,
  isSuspectedAgain,
  type Expired,
  type LeaseEnd,
} from '../domain/state/lease-end';
import type { ApplyWrite, Clock, Publish } from '../domain/state/ports';
import type { FindDue } from '../domain/read/sweep-ports';

/** Ports of expiring leases. */
export interface ExpirePorts {
  readonly findDue: Pick<FindDue, 'running'>;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly signs: Pick<RunnerSigns, 'endOf' | 'disconnectedAt' | 'isAlive'>;
  readonly clock: Clock;
  /** Monotonic milliseconds, whatever the wall clock does. */
  readonly monotonic: Clock;
  readonly leaseMs: number;
  readonly retentionMs: number;
  /** Puts this version in quarantine: one of its runs is abandoned, or only blamed for the end of a process. */
  readonly quarantine: (versionId: string, why: 'abandoned' | 'blamed') => Promise<void>;
  /** An execution was taken from its runner, or abandoned. */
  readonly onExpired: (found: Expired, isGivenUp: boolean, end: LeaseEnd) => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Maximum number of leases watched; beyond that, the most recently renewed ones have to wait. */
const MAX_WATCHED = 20_000;
/** Maximum number of executions taken per pass. */
const MOST = 500;

interface Watched {
  readonly fence: number;
  readonly until: number;
  /** Time at which this lease was first seen. */
  readonly since: number;
}

/** Publishes at the end of a back-off. If this process stops before, another replica publishes slightly later. */
const publishIn = (delayMs: number, publish: () => void): void => {
  if (delayMs <= 0) publish();
  else setTimeout(publish, delayMs).unref();
};

/**
 * Milliseconds until the next claim: none for a run that is not suspected, so that it continues at once; a moment for
 * those of a process that has died, so that all runners take their part; and the back-off of an isolated run.
 */
const delayMsOf = (found: Expired, end: LeaseEnd, { leaseMs, random }: ExpirePorts): number => {
  if (!hasActed(found) || chargeOf(found, end) === 0) return 0;
  if (!isIsolated(found, end)) return regroupDelayMs(leaseMs, random());
  return crashDelayMs(crashesOf(found, end), leaseMs, random());
};

const expire = async (found: Expired, end: LeaseEnd, ports: ExpirePorts): Promise<void> => {
  const { apply, publish, clock, retentionMs, quarantine, onExpired } = ports;
  const now = clock();
  // Before its end, which is not checked again, and before a runner can claim it.
  if (isDeadly(found, end)) await quarantine(found.versionId, 'abandoned');
  else if (isBlamed(found, end)) await quarantine(found.versionId, 'blamed');
  if (isGivenUp(found, end)) {
    const { outcome } = await apply(found._id, crashWrite(found, end, new Date(now), retentionMs));
    if (outcome === 'applied') onExpired(found, true, end);
    return;
  }
  const delayMs = delayMsOf(found, end, ports);
  const { outcome } = await apply(found._id, expireWrite(found, end, new Date(now + delayMs)));
  if (outcome !== 'applied') return;
  onExpired(found, false, end);
  publishIn(delayMs, () => publish(found._id, `${found.generation + 1}`, { isIsolated: isIsolated(found, end) }));
};

/**
 * T9: takes executions from runners that stopped renewing. A lease counts as expired when this process has seen it
 * unchanged for its duration and its grace, on a monotonic clock: clocks of other replicas do not matter. Time in which
 * the store could not be read does not count: no runner could renew then either. It ends at once if its runner reports
 * that the process has exited, and after a few seconds if all connections of the process have broken: a live one renews
 * all its leases then.
 * @returns a check of all leases; it returns whether there may be more to take away.
 */
export const createExpireLeases = (ports: ExpirePorts) => {
  const { signs, leaseMs, monotonic } = ports;
  /**
   * The short first lease of an inline run applies before its first side effect. After that, another runner would
   * repeat the side effects, so a runner that is only suspended for a moment gets the usual time.
   */
  const patienceMs = (found: Expired): number => {
    const ms = hasActed(found) ? leaseMs : (found.lease?.ms ?? leaseMs);
    return ms + leaseGraceMs(ms);
  };
  const runnerOf = ({ lease }: Expired): string => lease?.runnerId ?? '';
  let watched: ReadonlyMap<string, Watched> = new Map();
  let readAt = monotonic();
  /** When the previous read was requested. */
  let readBefore = readAt;
  /** Milliseconds since the last read, if another one failed since. */
  let blindMs = 0;
  const readRunning = async (): Promise<readonly Expired[]> => {
    try {
      return await ports.findDue.running(MAX_WATCHED);
    } catch (error) {
      blindMs = monotonic() - readAt;
      throw error;
    }
  };
  /** Updates what is known about a lease, and whether its runner is alive. */
  const watch = (found: Expired): Watched => {
    const known = watched.get(found._id);
    const until = found.lease?.until.getTime() ?? 0;
    if (known?.fence !== found.fence) return { fence: found.fence, until, since: readAt };
    if (known.until === until) return { ...known, since: known.since + blindMs };
    const disconnectedAt = signs.disconnectedAt(runnerOf(found));
    // Seen before and after: the process that renewed it was alive in between.
    if (disconnectedAt !== undefined && disconnectedAt <= readBefore) signs.isAlive(runnerOf(found));
    return { fence: found.fence, until, since: readAt };
  };
  const isOver = (found: Expired, silentMs: number, askedAt: number): boolean => {
    const runner = runnerOf(found);
    if (silentMs >= patienceMs(found) || signs.endOf(runner) !== undefined) return true;
    const at = signs.disconnectedAt(runner);
    return at !== undefined && Math.min(silentMs, askedAt - at) >= Math.min(DISCONNECTED_MS, patienceMs(found));
  };
  /** Judges leases that end together. */
  const judge = (over: readonly Expired[]): readonly (readonly [Expired, LeaseEnd])[] => {
    const active = Map.groupBy(
      over.filter(({ lease }) => lease?.waits !== true),
      runnerOf,
    );
    const ends = over.map((found): readonly [Expired, LeaseEnd] => [
      found,
      {
        cause: 'unknown',
        ...signs.endOf(runnerOf(found)),
        isOnlySuspect: active.get(runnerOf(found))?.length === 1,
        suspectVersions: new Set(),
      },
    ]);
    const again = ends.flatMap(([found, end]) => (isSuspectedAgain(found, end) ? [found.versionId] : []));
    const suspectVersions = new Set(again);
    return ends.map(([found, end]) => [found, { ...end, suspectVersions }]);
  };
  return async (): Promise<boolean> => {
    // The data may be as old as the request.
    const askedAt = monotonic();
    const running = await readRunning();
    readAt = monotonic();
    const seen = running.map((found): readonly [Expired, Watched] => [found, watch(found)]);
    blindMs = 0;
    readBefore = askedAt;
    watched = new Map(seen.map(([{ _id }, one]) => [_id, one]));
    const over = seen.flatMap(([found, { since }]) => (isOver(found, askedAt - since, askedAt) ? [found] : []));
    await Promise.all(
      judge(over)
        .slice(0, MOST)
        .map(([found, end]) => expire(found, end, ports)),
    );
    return over.length > MOST;
  };
};
