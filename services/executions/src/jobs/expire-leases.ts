import { crashDelayMs, leaseGraceMs } from '../domain/state/back-off';
import {
  crashesOf,
  crashWrite,
  expireWrite,
  hasActed,
  isCharged,
  isDeadly,
  isGivenUp,
  returnWrite,
  type Expired,
} from '../domain/state/free-writes';
import type { ApplyWrite, Clock, Publish } from '../domain/state/ports';
import type { FindDue } from '../domain/read/sweep-ports';

/** Ports of expiring leases. */
export interface ExpirePorts {
  readonly findDue: Pick<FindDue, 'running'>;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
  /** Monotonic milliseconds, whatever the wall clock does. */
  readonly monotonic: Clock;
  readonly leaseMs: number;
  readonly retentionMs: number;
  /** Puts this version in quarantine. */
  readonly quarantine: (versionId: string) => Promise<void>;
  /** An execution was taken from its runner, or abandoned. */
  readonly onExpired: (found: Expired, isGivenUp: boolean) => void;
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

const expire = async (
  found: Expired,
  { apply, publish, clock, leaseMs, retentionMs, quarantine, onExpired, random }: ExpirePorts,
): Promise<void> => {
  const now = clock();
  if (isGivenUp(found)) {
    // Before its end, which is not checked again.
    if (isDeadly(found)) await quarantine(found.versionId);
    const { outcome } = await apply(found._id, crashWrite(found, new Date(now), retentionMs));
    if (outcome === 'applied') onExpired(found, true);
    return;
  }
  const delayMs = isCharged(found) ? crashDelayMs(crashesOf(found), leaseMs, random()) : 0;
  const { outcome } = await apply(
    found._id,
    hasActed(found) ? expireWrite(found, new Date(now + delayMs)) : returnWrite(found, new Date(now)),
  );
  if (outcome !== 'applied') return;
  onExpired(found, false);
  publishIn(delayMs, () => publish(found._id, `${found.generation + 1}`, { isIsolated: true }));
};

/**
 * T9: takes executions from runners that stopped renewing. A lease counts as expired when this process has seen it
 * unchanged for its duration and its grace, on a monotonic clock: clocks of other replicas do not matter. Time in which
 * the store could not be read does not count: no runner could renew then either.
 * @returns a check of all leases; it returns whether there may be more to take away.
 */
export const createExpireLeases = (ports: ExpirePorts) => {
  /**
   * The short first lease of an inline run applies before its first side effect. After that, another runner would
   * repeat the side effects, so a runner that is only suspended for a moment gets the usual time.
   */
  const patienceMs = (found: Expired): number => {
    const ms = hasActed(found) ? ports.leaseMs : (found.lease?.ms ?? ports.leaseMs);
    return ms + leaseGraceMs(ms);
  };
  let watched: ReadonlyMap<string, Watched> = new Map();
  let readAt = ports.monotonic();
  /** Milliseconds since the last read, if another one failed since. */
  let blindMs = 0;
  const readRunning = async (): Promise<readonly Expired[]> => {
    try {
      return await ports.findDue.running(MAX_WATCHED);
    } catch (error) {
      blindMs = ports.monotonic() - readAt;
      throw error;
    }
  };
  return async (): Promise<boolean> => {
    // The data may be as old as the request.
    const askedAt = ports.monotonic();
    const running = await readRunning();
    readAt = ports.monotonic();
    const seen = running.map((found): readonly [Expired, Watched] => {
      const known = watched.get(found._id);
      const until = found.lease?.until.getTime() ?? 0;
      const isSame = known !== undefined && known.fence === found.fence && known.until === until;
      return [
        found,
        isSame ? { ...known, since: known.since + blindMs } : { fence: found.fence, until, since: readAt },
      ];
    });
    blindMs = 0;
    watched = new Map(seen.map(([{ _id }, one]) => [_id, one]));
    const over = seen.filter(([found, { since }]) => askedAt - since >= patienceMs(found)).slice(0, MOST);
    await Promise.all(over.map(([found]) => expire(found, ports)));
    return over.length === MOST;
  };
};
