/** A queue of objects to reconcile: each at most once at a time, and once more if it was named meanwhile. */
export interface WorkQueue {
  /** Names an object: it is reconciled soon, or again after the reconciliation in progress. */
  readonly add: (item: QueueItem) => void;
  /** Keeps the objects of a namespace waiting. */
  readonly pause: (namespace: string, ms: number) => void;
  /** Objects of a namespace that are due and not in progress, at most `limit`. */
  readonly dueOf: (namespace: string, limit: number) => readonly QueueItem[];
  /** Objects that are due or in progress. */
  readonly size: () => number;
  /** Starts nothing more, and resolves after the reconciliations in progress. */
  readonly stop: () => Promise<void>;
}

export interface QueueItem {
  readonly namespace: string;
  /** Unique within the queue. */
  readonly id: string;
}

/** Next reconciliation of an object: when it is named again, after a delay, or after one that grows. */
export type Repeat = 'none' | 'backoff' | { readonly afterMs: number };

export interface QueueOptions {
  readonly concurrency: number;
  readonly perNamespace: number;
  /** Pause after the first failure; doubles up to the maximum. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly work: (item: QueueItem) => Promise<Repeat>;
  readonly now: () => number;
}

interface Entry {
  readonly item: QueueItem;
  dueAt: number;
  isRunning: boolean;
  isNamedAgain: boolean;
  failures: number;
}

const MAX_DOUBLINGS = 20;

/** Creates a queue. Namespaces take turns: one with many objects does not delay the others. */
export const createWorkQueue = (options: QueueOptions): WorkQueue => {
  const { concurrency, perNamespace, minBackoffMs, maxBackoffMs, work, now } = options;
  /** In the order of their last turn within a namespace. */
  const namespaces = new Map<string, Map<string, Entry>>();
  const pausedUntil = new Map<string, number>();
  const running = new Map<string, number>();
  const inProgress = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const runningIn = (namespace: string): number => running.get(namespace) ?? 0;

  const dueAtOf = ({ dueAt }: Entry, namespace: string): number => Math.max(dueAt, pausedUntil.get(namespace) ?? 0);

  /** The next object that may start now; otherwise the time at which one is due. */
  const pick = (): Entry | number => {
    let soonest = Number.POSITIVE_INFINITY;
    const moment = now();
    for (const [namespace, entries] of namespaces) {
      if (runningIn(namespace) >= perNamespace) continue;
      for (const entry of entries.values()) {
        if (entry.isRunning) continue;
        const dueAt = dueAtOf(entry, namespace);
        if (dueAt > moment) {
          soonest = Math.min(soonest, dueAt);
          continue;
        }
        // The namespace goes to the end of the line.
        namespaces.delete(namespace);
        namespaces.set(namespace, entries);
        return entry;
      }
    }
    return soonest;
  };

  const remove = ({ namespace, id }: QueueItem): void => {
    const entries = namespaces.get(namespace);
    entries?.delete(id);
    if (entries?.size === 0) namespaces.delete(namespace);
  };

  const settle = (entry: Entry, repeat: Repeat): void => {
    const { item } = entry;
    entry.isRunning = false;
    running.set(item.namespace, runningIn(item.namespace) - 1);
    if (runningIn(item.namespace) <= 0) running.delete(item.namespace);
    entry.failures = repeat === 'backoff' ? entry.failures + 1 : 0;
    const doublings = Math.min(entry.failures - 1, MAX_DOUBLINGS);
    const afterMs =
      repeat === 'backoff'
        ? Math.min(maxBackoffMs, minBackoffMs * 2 ** doublings)
        : repeat === 'none'
          ? 0
          : repeat.afterMs;
    if (entry.isNamedAgain) entry.dueAt = now() + (repeat === 'backoff' ? minBackoffMs : 0);
    else if (repeat === 'none') return remove(item);
    else entry.dueAt = now() + afterMs;
    entry.isNamedAgain = false;
  };

  const start = (entry: Entry): void => {
    const { item } = entry;
    entry.isRunning = true;
    running.set(item.namespace, runningIn(item.namespace) + 1);
    const done = work(item).then(
      (repeat) => settle(entry, repeat),
      () => settle(entry, 'backoff'),
    );
    const tracked = done.finally(() => {
      inProgress.delete(tracked);
      pump();
    });
    inProgress.add(tracked);
  };

  const pump = (): void => {
    clearTimeout(timer);
    while (!isStopped && inProgress.size < concurrency) {
      const next = pick();
      if (typeof next === 'number') {
        if (Number.isFinite(next)) timer = setTimeout(pump, Math.max(1, next - now()));
        return;
      }
      start(next);
    }
  };

  return {
    add: (item) => {
      const entries = namespaces.get(item.namespace) ?? new Map<string, Entry>();
      namespaces.set(item.namespace, entries);
      const entry = entries.get(item.id);
      if (entry === undefined)
        entries.set(item.id, { item, dueAt: now(), isRunning: false, isNamedAgain: false, failures: 0 });
      else if (entry.isRunning) entry.isNamedAgain = true;
      else entry.dueAt = Math.min(entry.dueAt, now());
      pump();
    },
    pause: (namespace, ms) => {
      pausedUntil.set(namespace, Math.max(pausedUntil.get(namespace) ?? 0, now() + ms));
      for (const [name, until] of pausedUntil) if (until < now()) pausedUntil.delete(name);
    },
    dueOf: (namespace, limit) => {
      const found: QueueItem[] = [];
      for (const entry of namespaces.get(namespace)?.values() ?? []) {
        if (found.length >= limit) break;
        if (!entry.isRunning && entry.dueAt <= now()) found.push(entry.item);
      }
      return found;
    },
    size: () => {
      const moment = now();
      let count = 0;
      for (const entries of namespaces.values())
        for (const { isRunning, dueAt } of entries.values()) if (isRunning || dueAt <= moment) count += 1;
      return count;
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all(inProgress);
    },
  };
};
