import type { Delta } from '@weft/proto/events';
import { InFlightMap, InFlightSet } from '@weft/service-kit/in-flight';

/** One reader of the text that an execution writes. */
export interface DeltaReader {
  /** Returns what has arrived since the last call, in order. Parts that it was too slow for are missing. */
  readonly take: () => Delta[];
  /** Called when there is something to take. One at a time. */
  readonly onDelta: (wake: (() => void) | undefined) => void;
  readonly close: () => void;
}

/** All readers at this replica of the text that executions write. */
export interface DeltaReaders {
  readonly open: (executionId: string) => DeltaReader;
  /** Passes parts on to the readers of an execution. */
  readonly receive: (executionId: string, deltas: readonly Delta[]) => void;
}

/** Dependencies of readers. */
export interface DeltaReadersOptions {
  /** Begins to receive the text of an execution. @returns ends it */
  readonly subscribe: (executionId: string) => () => void;
}

/** Maximum characters that wait for one reader; those that wait are dropped when there are more. */
const MAX_WAITING = 131_072;

interface Reader {
  waiting: Delta[];
  characters: number;
  wake: (() => void) | undefined;
}

const isSame = (one: Delta, other: Delta): boolean => one.attempt === other.attempt && one.number === other.number;

/** Adds a part, joined with the one before it where possible: a slow reader gets few large parts. */
const add = (reader: Reader, delta: Delta): void => {
  if (reader.characters + delta.text.length > MAX_WAITING) {
    reader.waiting = [];
    reader.characters = 0;
  }
  if (delta.text.length > MAX_WAITING) return;
  reader.characters += delta.text.length;
  const last = reader.waiting.findLast((one) => isSame(one, delta));
  if (last === undefined || last.offset + last.text.length !== delta.offset) {
    reader.waiting.push(delta);
    return;
  }
  const joined = { ...last, text: last.text + delta.text, ends: delta.ends };
  reader.waiting = reader.waiting.map((one) => (one === last ? joined : one));
};

/** Creates the readers of one replica. */
export const createDeltaReaders = ({ subscribe }: DeltaReadersOptions): DeltaReaders => {
  const runs = new InFlightMap<string, { readonly readers: InFlightSet<Reader>; readonly stop: () => void }>();
  return {
    open: (executionId) => {
      const run = runs.get(executionId) ?? { readers: new InFlightSet<Reader>(), stop: subscribe(executionId) };
      runs.set(executionId, run);
      const reader: Reader = { waiting: [], characters: 0, wake: undefined };
      const leave = run.readers.add(reader);
      return {
        take: () => {
          const { waiting } = reader;
          reader.waiting = [];
          reader.characters = 0;
          return waiting;
        },
        onDelta: (wake) => {
          reader.wake = wake;
          if (reader.waiting.length > 0) wake?.();
        },
        close: () => {
          leave();
          if (run.readers.size > 0 || runs.get(executionId) !== run) return;
          runs.delete(executionId);
          run.stop();
        },
      };
    },
    receive: (executionId, deltas) => {
      for (const reader of runs.get(executionId)?.readers ?? []) {
        for (const delta of deltas) add(reader, delta);
        reader.wake?.();
      }
    },
  };
};
