import { createTakeMine } from '@weft/service-kit/replicas';
import type { Clock } from '../domain/state/ports';
import type { RestoreProgress, RestoreStore } from '../domain/read/restore';
import type { Share } from '../domain/read/sweep-ports';
import { republish, type RepublishPorts } from './republish-unclaimed';

/** Ports of restoring the queue. */
export interface RestorePorts extends Pick<RepublishPorts, 'apply' | 'publish' | 'backlog'> {
  /**
   * Creates stream and consumer if missing; returns whether the stream is a new one.
   * @throws if the broker cannot be reached
   */
  readonly ensureQueue: () => Promise<boolean>;
  /** Creation time of the current stream. */
  readonly streamTime: () => string | undefined;
  readonly store: RestoreStore;
  readonly share: Share;
  readonly clock: Clock;
}

const PAGE = 1_000;

const BEGINNING: RestoreProgress = { after: '', isDone: false };

/** Ids waiting to be sent above which the next page has to wait. */
const MAX_BACKLOG = 10_000;

/**
 * Ensures that the queue exists. If it was lost, its whole content is published again, however long its back-off had
 * become: one replica pages through the queued executions in order of id, a page per pass, and stores its progress, so
 * that another one can continue if it dies.
 * @returns whether there is more to do at once.
 */
export const createRestoreQueue = (ports: RestorePorts) => {
  const { ensureQueue, streamTime, store, share, clock, backlog } = ports;
  // The responsible replica may not have seen the loss: it has just started, or was disconnected.
  const takeMine = createTakeMine<string>({ share, idOf: (stream) => `restore ${stream}`, dueOf: () => undefined });
  let owed: string | undefined;
  let isFirst = true;

  /** Progress of a stopped replica. */
  const begunBefore = async (): Promise<string | undefined> => {
    const stream = streamTime();
    const progress = stream === undefined ? undefined : await store.readProgress(stream);
    isFirst = false;
    return progress?.isDone === false ? stream : undefined;
  };

  const restorePage = async (stream: string): Promise<boolean> => {
    const progress = (await store.readProgress(stream)) ?? BEGINNING;
    if (progress.isDone) {
      owed = undefined;
      return false;
    }
    if (takeMine([stream]).length === 0 || (backlog() ?? Number.POSITIVE_INFINITY) > MAX_BACKLOG) return false;
    const found = await store.queuedAfter(progress.after, PAGE);
    const now = clock();
    // An execution in back-off is published when that is over.
    await Promise.all(
      found
        .filter(({ notBefore }) => notBefore === undefined || notBefore.getTime() <= now)
        // The queue was lost, not the claims: the back-off of each restarts.
        .map((one) => republish({ ...one, republished: 0 }, now, ports)),
    );
    await store.saveProgress(stream, found.at(-1)?._id ?? progress.after, found.length < PAGE);
    return true;
  };
  return async (): Promise<boolean> => {
    if (await ensureQueue()) owed = streamTime();
    if (isFirst) owed ??= await begunBefore();
    return owed === undefined ? false : restorePage(owed);
  };
};
