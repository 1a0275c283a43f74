import type { PlannedStart } from './choose-kinds';

/** Record of a client about one start. */
export interface Entry {
  readonly start: PlannedStart;
  /** Idempotency-Key of every attempt. */
  readonly key: string;
  /** True if only one attempt was made: it may not have been accepted. */
  readonly isProbe: boolean;
  /** Ids in successful answers: these exist. */
  readonly ids: Set<string>;
  /** Ids in errors: if anything was started, it has this id. */
  readonly possibleIds: Set<string>;
  attempts: number;
  /** By the harness's clock, in milliseconds. */
  readonly sentAt: number;
  /** Time of the successful answer. */
  acceptedAt?: number;
  /** Error in an answer. */
  readonly faults: string[];
  /** The body of the answer, if the run produces it. */
  answer?: string;
}

/** The records of all clients. */
export interface Journal {
  readonly entries: readonly Entry[];
  readonly open: (start: PlannedStart, isProbe: boolean) => Entry;
  /** Requests that were repeated under their key. */
  readonly retries: () => number;
}

/** An empty journal. */
export const createJournal = (): Journal => {
  const entries: Entry[] = [];
  return {
    entries,
    open: (start, isProbe) => {
      const entry: Entry = {
        start,
        key: `${start.kind.name}-${isProbe ? 'probe-' : ''}${start.index}`,
        isProbe,
        ids: new Set(),
        possibleIds: new Set(),
        attempts: 0,
        sentAt: Date.now(),
        faults: [],
      };
      entries.push(entry);
      return entry;
    },
    retries: () => entries.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0),
  };
};
