import { crashDelayMs, leaseGraceMs } from '../domain/back-off';
import { crashesOf, crashWrite, expireWrite } from '../domain/free-writes';
import { MAX_CRASHES } from '../domain/limits';
import type { ApplyWrite, Clock } from '../domain/ports';
import type { FindDue, Swept } from '../domain/sweep-ports';

/** What expiring leases needs. */
export interface ExpirePorts {
  readonly findDue: FindDue;
  readonly apply: ApplyWrite;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly retentionMs: number;
}

const MOST = 500;

const isGivenUp = (found: Swept): boolean => found.crashPolicy === 'fail' || crashesOf(found) >= MAX_CRASHES;

/**
 * T9: takes executions from runners that stopped renewing; after too many crashes without progress they end.
 * @returns whether there may be more.
 */
export const createExpireLeases =
  ({ findDue, apply, clock, leaseMs, retentionMs }: ExpirePorts) =>
  async (): Promise<boolean> => {
    const now = clock();
    const limit = new Date(now - leaseGraceMs(leaseMs));
    const expired = await findDue.expired(limit, MOST);
    await Promise.all(
      expired.map((found) => {
        const notBefore = new Date(now + crashDelayMs(crashesOf(found), leaseMs));
        return apply(found._id, isGivenUp(found) ? crashWrite(found, limit, new Date(now), retentionMs) : expireWrite(found, limit, notBefore));
      }),
    );
    return expired.length === MOST;
  };
