import type { Delta } from '@weft/proto/events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventsClient } from '../../../clients/events';

/** Dependencies of following the text of an execution. */
export interface FollowTextsOptions {
  readonly executionId: string;
  readonly calls: Pick<EventsClient['calls'], 'streamDeltas'>;
  /** Fires when the caller has left. */
  readonly signal: AbortSignal;
  /** Resolves when the part was written: until then no other is read. */
  readonly onDelta: (delta: Delta) => Promise<void>;
}

/** A following of text. */
export interface FollowedTexts {
  /** Resolves when runners are told, and after a moment in any case: then some parts may be missed. */
  readonly opened: Promise<void>;
  /** Resolves when the signal has fired and the last part was written. Never rejects. */
  readonly done: Promise<void>;
}

/** Time limit of one call, above that of the service. */
const CALL_MS = 55_000;
/** Age at which a call is followed by another: both run for a moment, so that no part is missed between them. */
const RENEW_MS = 40_000;
const OVERLAP_MS = 2_000;
/** Time for which a start waits until runners are told. */
const OPEN_MS = 250;
/** Delay after a failed call. */
const REPEAT_MS = 500;

/** Follows text by one call after the other. Parts arrive once or twice, and may be missing. */
export const followTexts = ({ executionId, calls, signal, onDelta }: FollowTextsOptions): FollowedTexts => {
  let tellOpened = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    tellOpened = resolve;
    setTimeout(resolve, OPEN_MS).unref();
  });
  let writing: Promise<void> = Promise.resolve();
  const write = (delta: Delta): Promise<void> => {
    // Two calls may run at the same time.
    writing = writing.then(() => onDelta(delta)).catch(() => undefined);
    return writing;
  };
  /** @returns false if the call failed */
  const readOnce = async (until: AbortSignal): Promise<boolean> => {
    try {
      for await (const { delta } of calls.streamDeltas({ executionId }, { deadlineMs: CALL_MS, signal: until })) {
        tellOpened();
        if (delta !== undefined) await write(delta);
      }
      return true;
    } catch {
      return false;
    }
  };
  const readOn = async (): Promise<void> => {
    const reading = new Set<Promise<unknown>>();
    while (!signal.aborted) {
      const until = AbortSignal.any([signal, AbortSignal.timeout(RENEW_MS + OVERLAP_MS)]);
      const call = readOnce(until);
      reading.add(call);
      void call.finally(() => reading.delete(call));
      const isTime = sleep(RENEW_MS, true, { signal, ref: false }).catch(() => true);
      const isOver = await Promise.race([isTime, call.then((isGood) => isGood)]);
      if (!isOver) await sleep(REPEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await Promise.all(reading);
    await writing;
  };
  return { opened, done: readOn() };
};
