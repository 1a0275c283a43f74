import type { Store } from '../open-store';

/** A store that counts its writes to executions. */
export interface CountedStore {
  readonly store: Store;
  /** Number of writes that began or ended; only increases. */
  readonly countWrites: () => number;
}

/** Counts the writes to executions of all callers. */
export const countWritesOf = (opened: Store): CountedStore => {
  let writes = 0;
  const counted =
    <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      writes += 1;
      try {
        return await write(...args);
      } finally {
        writes += 1;
      }
    };
  return {
    store: { ...opened, apply: counted(opened.apply), insert: counted(opened.insert) },
    countWrites: () => writes,
  };
};
