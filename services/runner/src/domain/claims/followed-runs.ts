import type { Held, HeldExecutions } from './held/held-executions';
import type { LiveProgress } from './held/live-run';

/** The runs whose events are followed, as far as this process knows. */
export interface FollowedRuns {
  /** Executions that are followed at a replica of executions; repeated as long as they are. */
  readonly learn: (executionIds: readonly string[]) => void;
  readonly isFollowed: (executionId: string) => boolean;
  /** The service accepted a claim, a checkpoint or a heartbeat: if the run is followed, its followers are notified. */
  readonly accepted: (executionId: string) => void;
  /** Claims on followed runs with changes that the service does not know, at most every half second for each. */
  readonly due: () => readonly Held[];
  /** Progress to be sent with a heartbeat; empty progress once the run is not followed any more. Absent: none. */
  readonly progressOf: (held: Held) => LiveProgress | undefined;
  /** A heartbeat with progress failed: it is sent again. */
  readonly failed: (held: Held) => void;
  readonly stop: () => void;
}

/** Dependencies of followed runs. */
export interface FollowedRunsOptions {
  readonly held: Pick<HeldExecutions, 'all'>;
  /** Notifies the followers of these executions: a hint. */
  readonly publish: (executionIds: readonly string[]) => void;
  /** Called often while runs are followed: sends what is due. */
  readonly beat: () => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Time for which a run counts as followed: replicas repeat it every second. */
const FOLLOWED_MS = 3_000;
/** Shortest time between two heartbeats with progress of one run. */
const EVERY_MS = 500;
/** Interval at which changes are looked for while runs are followed. */
const CHECK_MS = 100;
/** Maximum runs of this process whose progress is sent; followers of others see what is stored. */
const MAX_SENT = 100;
/** Maximum followed executions that are remembered, of which most are held elsewhere. */
const MAX_REMEMBERED = 10_000;

/** Nothing is followed, and nothing costs anything, until `learn` is called. */
export const createFollowedRuns = ({ held, publish, beat, clock }: FollowedRunsOptions): FollowedRuns => {
  const seenAt = new Map<string, number>();
  let pending: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const isFollowed = (executionId: string): boolean => {
    if (seenAt.size === 0) return false;
    const at = seenAt.get(executionId);
    return at !== undefined && clock() - at < FOLLOWED_MS;
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const check = (): void => {
    const now = clock();
    for (const [id, at] of seenAt) if (now - at >= FOLLOWED_MS) seenAt.delete(id);
    if (seenAt.size === 0) stop();
    else beat();
  };
  const flush = (): void => {
    const ids = [...new Set(pending)];
    pending = [];
    publish(ids);
  };
  return {
    isFollowed,
    learn: (executionIds) => {
      const now = clock();
      for (const id of executionIds) if (seenAt.size < MAX_REMEMBERED || seenAt.has(id)) seenAt.set(id, now);
      if (timer !== undefined || seenAt.size === 0) return;
      timer = setInterval(check, CHECK_MS);
      timer.unref();
      beat();
    },
    accepted: (executionId) => {
      if (!isFollowed(executionId)) return;
      pending.push(executionId);
      if (pending.length === 1) setImmediate(flush);
    },
    due: () => {
      if (seenAt.size === 0) return [];
      const now = clock();
      const followed = held.all().filter(({ executionId, signal }) => !signal.aborted && isFollowed(executionId));
      return followed
        .slice(0, MAX_SENT)
        .filter(({ live }) => live.sentChanges !== live.changes && now - live.sentAt >= EVERY_MS);
    },
    progressOf: ({ executionId, live }) => {
      if (!isFollowed(executionId)) {
        if (live.sentChanges === undefined) return undefined;
        live.sentChanges = undefined;
        return { notStored: [] };
      }
      if (live.sentChanges === live.changes) return undefined;
      live.sentChanges = live.changes;
      live.sentAt = clock();
      return live.progress();
    },
    failed: ({ live }) => {
      // Whatever the service has is not current: also empty progress is sent again.
      live.sentChanges = -1;
    },
    stop,
  };
};
