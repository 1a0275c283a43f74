import { setTimeout as sleep } from 'node:timers/promises';
import type { Violation } from '../checks/evidence';
import type { ExecutionRow, StoreReader } from './store';

/** One observed holder of a claim of an execution. Times by the harness's clock. */
export interface SeenClaim {
  readonly fence: number;
  readonly runnerId: string;
  readonly firstSeen: number;
  lastSeen: number;
}

/** Observations of the executions while they ran. */
export interface Sampler {
  readonly claimsOf: (executionId: string) => readonly SeenClaim[];
  /** Samples now, outside the interval. False if the database cannot be read. */
  readonly look: () => Promise<boolean>;
  /** Executions that this runner was last seen with. */
  readonly heldBy: (runnerId: string) => readonly string[];
  /** Violations observed on the way. */
  readonly violations: readonly Violation[];
  readonly stop: () => Promise<void>;
}

const EVERY_MS = 300;
/** Documents that are not running are sampled less often. */
const EVERY_NTH = 6;
const MAX_VIOLATIONS = 200;

interface Last {
  readonly fence: number;
  readonly generation: number;
}

/** A runner hands isolated runs over to its child processes, whose ids begin with its own. */
const areOneRunner = (one: string, other: string): boolean =>
  one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** Polls unfinished documents, and checks the invariants that hold at every moment. */
export const startSampler = (store: StoreReader): Sampler => {
  const claims = new Map<string, SeenClaim[]>();
  const last = new Map<string, Last>();
  const violations: Violation[] = [];
  let running = new Map<string, string>();
  let turn = 0;
  let isStopped = false;

  const broken = (invariant: string, executionId: string, what: string): void => {
    if (violations.length < MAX_VIOLATIONS) violations.push({ check: invariant, executionId, what });
  };
  const checkGrowth = ({ _id, fence, generation }: ExecutionRow): void => {
    const before = last.get(_id);
    if (before !== undefined && fence < before.fence)
      broken('I2 fences never decrease', _id, `fence ${before.fence}, then ${fence}`);
    if (before !== undefined && generation < before.generation)
      broken('I2 generations never decrease', _id, `generation ${before.generation}, then ${generation}`);
    last.set(_id, { fence, generation });
  };
  const noteClaim = ({ _id, fence, lease }: ExecutionRow, now: number): void => {
    if (lease === undefined)
      return broken('I3 what runs has a lease', _id, `running under fence ${fence} without a lease`);
    const known = claims.get(_id) ?? [];
    const under = known.filter((claim) => claim.fence === fence);
    const same = under.find(({ runnerId }) => runnerId === lease.runnerId);
    const other = under.find(({ runnerId }) => !areOneRunner(runnerId, lease.runnerId));
    if (same !== undefined) same.lastSeen = now;
    else if (other === undefined)
      claims.set(_id, [...known, { fence, runnerId: lease.runnerId, firstSeen: now, lastSeen: now }]);
    else
      broken(
        'I2 a fence is given to one claim',
        _id,
        `fence ${fence} with runner ${other.runnerId}, then ${lease.runnerId}`,
      );
  };
  const checkResting = (row: ExecutionRow): void => {
    checkGrowth(row);
    if (row.lease !== undefined) broken('I3 only what runs has a lease', row._id, `${row.state} with a lease`);
    if (row.state === 'queued' && row.publishAt === undefined)
      broken('I7 what is queued will be published', row._id, 'queued without publishAt');
    if (
      row.state === 'waiting' &&
      row.wait?.checkAt === undefined &&
      row.wait?.tokenHash === undefined &&
      row.wait?.childId === undefined
    ) {
      broken('I3 what waits knows for what', row._id, 'waiting without time, token or child');
    }
  };
  const lookNow = async (): Promise<boolean> => {
    try {
      const rows = await store.inStates(['running']);
      const now = Date.now();
      running = new Map(rows.map(({ _id, lease }) => [_id, lease?.runnerId ?? '']));
      for (const row of rows) {
        checkGrowth(row);
        noteClaim(row, now);
      }
      if (turn++ % EVERY_NTH === 0) for (const row of await store.inStates(['queued', 'waiting'])) checkResting(row);
      return true;
    } catch {
      // The plan also breaks the database.
      return false;
    }
  };
  // one poll at a time: an older answer that comes later would look like a step back
  let looking: Promise<boolean> = Promise.resolve(true);
  const look = (): Promise<boolean> => (looking = looking.then(lookNow));
  const loop = (async () => {
    while (!isStopped) {
      await look();
      await sleep(EVERY_MS);
    }
  })();
  return {
    claimsOf: (id) => claims.get(id) ?? [],
    look,
    heldBy: (runnerId) => [...running].flatMap(([id, runner]) => (runner === runnerId ? [id] : [])),
    violations,
    stop: async () => {
      isStopped = true;
      await loop;
    },
  };
};
