import { END_REASONS } from './errors';
import type { ExecutionError, ExecutionRecord } from './execution';
import { failed } from './free-writes';
import { endFields, retentionOf } from './run-writes';
import { fencedWrite, type Conditions, type Fields, type Write } from './write';

/** An execution whose lease ends, as it was read. */
export type Expired = Pick<
  ExecutionRecord,
  | '_id'
  | 'versionId'
  | 'fence'
  | 'actedFence'
  | 'lease'
  | 'crashes'
  | 'runsAlone'
  | 'suspicion'
  | 'deathsAlone'
  | 'nodeRunCount'
  | 'runsAtCrash'
  | 'crashPolicy'
  | 'generation'
  | 'retentionMs'
>;

/** The execution that ended a process. */
export interface Blamed {
  readonly executionId: string;
  /** The node that blocked the process; absent: unknown. */
  readonly node?: string;
}

/** Why a lease ends. The table of rules is in decision 0271. */
export interface LeaseEnd {
  /**
   * `reported`: its runner saw the process exit. `superseded`: the runner was started again. `unknown`: the lease was
   * not renewed, which a suspended or disconnected process explains as well.
   */
  readonly cause: 'reported' | 'superseded' | 'unknown';
  /** The execution that ended the process, if that is known. */
  readonly blamed?: Blamed;
  /** All other leases that end with the process belong to executions that waited. */
  readonly isOnlySuspect: boolean;
  /** Versions of executions that reach `ISOLATED_FROM` now, with other executions. */
  readonly suspectVersions: ReadonlySet<string>;
}

/** Suspicion from which an execution is isolated. */
const ISOLATED_FROM = 2;
/** Suspicion of an execution that waited: even so it is isolated after four ends without progress. */
const WAITING = 1 / 2;

/** Deaths of a process, without progress, in which an execution was isolated alone, before it is given up. */
export const MAX_DEATHS_ALONE = 2;
/** A runner that dies takes its isolated processes with it, so this counts less than the death of the process. */
const SUPERSEDED = 1 / 2;

/**
 * True if the runner was active with the claim. A claim that was never active costs no crash: its response was lost, or
 * its runner died with it.
 */
export const hasActed = ({ fence, actedFence }: Pick<Expired, 'fence' | 'actedFence'>): boolean => actedFence === fence;

/** Node runs stored since the last lease ended are progress: it ends all counting. */
const hasProgress = ({ crashPolicy, nodeRunCount, runsAtCrash }: Expired): boolean =>
  crashPolicy === 'resume' && nodeRunCount > runsAtCrash;

/** Whether only the execution was in the process that has died, and how much that counts. */
const deathAloneOf = (found: Expired, { cause, blamed }: LeaseEnd): number => {
  if (found.lease?.alone !== true || !hasActed(found) || cause === 'unknown') return 0;
  if (blamed !== undefined && blamed.executionId !== found._id) return 0;
  return cause === 'reported' ? 1 : SUPERSEDED;
};

/** True if this execution is known to have ended the process. */
export const isBlamed = (found: Pick<Expired, '_id'>, { blamed }: LeaseEnd): boolean =>
  blamed?.executionId === found._id;

/** Suspicion that this end of a lease adds. */
export const chargeOf = (found: Expired, end: LeaseEnd): number => {
  if (end.blamed !== undefined) return isBlamed(found, end) ? ISOLATED_FROM : 0;
  if (deathAloneOf(found, end) >= 1) return ISOLATED_FROM;
  if (found.lease?.waits === true) return WAITING;
  return end.cause !== 'unknown' && end.isOnlySuspect ? ISOLATED_FROM : 1;
};

/** Suspicion without this end; an earlier release counts only crashes. */
const suspicionBefore = (found: Expired): number =>
  hasProgress(found) ? 0 : Math.max(found.suspicion ?? 0, found.crashes);

/** True if a run that was active is suspected again, so that others of its version are suspected as well. */
export const isSuspectedAgain = (found: Expired, end: LeaseEnd): boolean => {
  const [before, charge] = [suspicionBefore(found), chargeOf(found, end)];
  return hasActed(found) && charge >= 1 && before > 0 && before + charge >= ISOLATED_FROM;
};

/** True if an execution may have ended its process repeatedly, so that it must be isolated. */
export const isIsolated = (found: Expired, end: LeaseEnd): boolean => {
  if (found.runsAlone === true) return true;
  const charge = chargeOf(found, end);
  return suspicionBefore(found) + charge >= ISOLATED_FROM || (charge >= 1 && end.suspectVersions.has(found.versionId));
};

/**
 * True if a crash is counted: the execution is suspected, and its runner was active with it. The first lease of an
 * inline run is so short that a runner that was only suspended, or disconnected for a moment, loses it as well.
 */
const isCrash = (found: Expired, end: LeaseEnd): boolean =>
  chargeOf(found, end) >= 1 && hasActed(found) && (found.lease?.ms === undefined || end.cause !== 'unknown');

/** The crash count of an execution with this end. */
export const crashesOf = (found: Expired, end: LeaseEnd): number =>
  (hasProgress(found) ? 0 : found.crashes) + (isCrash(found, end) ? 1 : 0);

const deathsAloneOf = (found: Expired, end: LeaseEnd): number =>
  (hasProgress(found) ? 0 : (found.deathsAlone ?? 0)) + deathAloneOf(found, end);

/** True if an execution ended its process so often, isolated alone in it, that no other one can be the cause. */
export const isDeadly = (found: Expired, end: LeaseEnd): boolean =>
  deathAloneOf(found, end) > 0 && deathsAloneOf(found, end) >= MAX_DEATHS_ALONE;

/** True if an execution is given up: as deadly, or by the policy of its workflow. */
export const isGivenUp = (found: Expired, end: LeaseEnd): boolean =>
  isDeadly(found, end) || (hasActed(found) && found.crashPolicy === 'fail');

/** Traces of an attempt that the next one begins without. */
const LOST_DATA = {
  manifest: [],
  log: [],
  nodeRunCount: 0,
  dataBytes: 0,
  inlineBytes: 0,
  uploadedBytes: 0,
  checkpoint: 0,
} as const;

const LOST_FIELDS = [
  'engineState',
  'engineStateChunk',
  'engineStateVersion',
  'lastNode',
  'response',
  'customData',
  'customDataPairs',
  'modelUsage',
] as const;

/** The lease as it was read: a runner that renewed it since keeps the execution. */
const asSeen = ({ lease }: Expired): Conditions => ({ 'lease.until': lease?.until });

/** A field that most executions never have. */
const unlessAbsent = (found: Expired, name: 'suspicion' | 'deathsAlone', value: number): Fields =>
  value === 0 && found[name] === undefined ? {} : { [name]: value };

/** Facts for the next end of a lease. */
const counted = (found: Expired, end: LeaseEnd): Fields => ({
  crashes: crashesOf(found, end),
  ...unlessAbsent(found, 'suspicion', suspicionBefore(found) + chargeOf(found, end)),
  ...unlessAbsent(found, 'deathsAlone', deathsAloneOf(found, end)),
  ...(isIsolated(found, end) ? { runsAlone: true } : {}),
  runsAtCrash: found.nodeRunCount,
});

/** The replica that took it publishes it at that time; any other slightly later. */
const publishAfter = (moment: Date): Date => new Date(moment.getTime() + 5_000);

/**
 * T9: back into the queue, after a back-off if the claim was active. Under the policy `restart` the next attempt of a
 * run that was active starts empty, and the node runs that it drops keep their sequence numbers.
 */
export const expireWrite = (found: Expired, end: LeaseEnd, notBefore: Date): Write => {
  const restarts = hasActed(found) && found.crashPolicy === 'restart';
  return fencedWrite('expire', found.fence, {
    // Node runs stored since would be dropped without being counted.
    where: { ...asSeen(found), ...(restarts ? { nodeRunCount: found.nodeRunCount } : {}) },
    set: {
      ...counted(found, end),
      ...(restarts ? { runsAtCrash: 0, ...LOST_DATA } : {}),
      publishAt: publishAfter(notBefore),
      ...(hasActed(found) ? { notBefore } : {}),
    },
    remove: restarts ? LOST_FIELDS : [],
    inc: restarts && found.nodeRunCount > 0 ? { lostNodeRuns: found.nodeRunCount } : {},
  });
};

/** The error of a run that is given up. */
const reasonOf = (found: Expired, end: LeaseEnd, crashes: number): ExecutionError => {
  const times = crashes === 1 ? 'once' : `${crashes} times`;
  const node = isBlamed(found, end) ? end.blamed?.node : undefined;
  if (node === undefined) return failed(END_REASONS.crashed, `The runner died ${times} while it ran this execution.`);
  const where = node === '' ? 'The start of this execution' : `The node "${node}"`;
  const message =
    `${where} blocked the process that ran it for more than half a second of CPU time, and the process was ended. ` +
    `Processes that ran this execution were ended ${times}. Let the node handle less data at once.`;
  return { ...failed(END_REASONS.crashed, message), node };
};

/** T9c: given up. */
export const crashWrite = (found: Expired, end: LeaseEnd, now: Date, retentionMs: number): Write => {
  const { set, setElements } = endFields('error', now, retentionOf(found, retentionMs));
  const crashes = Math.max(1, crashesOf(found, end));
  return fencedWrite('crash', found.fence, {
    where: asSeen(found),
    set: {
      ...set,
      crashes,
      error: reasonOf(found, end, crashes),
    },
    setElements,
  });
};
