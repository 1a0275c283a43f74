import { NodeFailure } from '@weft/engine';
import { type Databases, type OutboundHttp, type RemoteServers, ResultRefused } from '@weft/outbound';
import { RunError } from './execution-store';
import type { HeavyOwners } from './heavy-owners';

/** Bytes of heap that a byte of JSON text takes once it is read, about. */
export const PARSED_FACTOR = 3;
/** A response is held unchanged, and once more while it is read. */
const RESPONSE_FACTOR = 2;
/** Part of the heap limit above which nothing new is taken, whatever it is that fills it. */
const HEAP_PART = 0.85;
/**
 * For so long nothing is taken because of the heap alone: it may hold garbage, which is freed when something
 * moves.
 */
const HEAP_PATIENCE_MS = 1_000;
/** Milliseconds that a run has the thread in all, a few at a time, until it is as heavy as one with large data. */
export const LONG_THREAD_MS = 2_000;
const MIB = 1024 * 1024;

/** A run holds more than one run may. */
export class RunOverBudget extends RunError {
  constructor(bytes: number, limitBytes: number) {
    super(
      'RUN_MEMORY_EXCEEDED',
      `${sentenceOf(bytes, limitBytes)} Handle fewer items at once, for example in sub-workflows that are ` +
        'called for each batch.',
    );
  }
}

/** Memory that one run holds in this process. */
export interface RunAccount {
  /** Counts what stays until the run is at rest here. @throws RunOverBudget */
  readonly hold: (bytes: number) => void;
  /** Another node begins: responses that the one before fetched no longer count. */
  readonly begin: () => void;
  /**
   * Counts responses to the run as long as its node runs. A request whose response exceeds the budget fails the node.
   */
  readonly http: (http: OutboundHttp) => OutboundHttp;
  /** Counts what databases send to the run as long as its node runs. What exceeds a budget ends the session. */
  readonly databases: (databases: Databases) => Databases;
  /** The same for files and the output of commands. */
  readonly remote: (remote: RemoteServers) => RemoteServers;
  /**
   * Why the run is to go on elsewhere. `release`, after a while: the process holds too much, this run the most of it,
   * and others would gain if it left. `drain`, at once: its owner works with large data.
   */
  readonly reasonToGo: () => 'release' | 'drain' | undefined;
  /**
   * Notes how many milliseconds the run has had the thread.
   * @returns true if it is to go on elsewhere at once: its owner is heavy
   */
  readonly hadThread: (ms: number) => boolean;
  readonly close: () => void;
}

/** Memory that all runs of one process hold. */
export interface MemoryBudget {
  /** @param ownerKey whose run it is */
  readonly open: (ownerKey: string) => RunAccount;
  /** True if there is room for more runs. */
  readonly hasRoom: () => boolean;
}

/** Bounds of a process. */
export interface MemoryBounds {
  readonly runBytes: number;
  /** High-water mark of all runs. */
  readonly processBytes: number;
  readonly heapBytes: number;
  /** Bytes of heap in use, garbage included. */
  readonly heapUsed: () => number;
  /** Bytes that are held beside the runs. */
  readonly others: () => number;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Learns of owners with large data; absent: all data are worked with here. */
  readonly heavyOwners?: HeavyOwners;
  /** Bytes of JSON of one response or node run from which on data are large. */
  readonly largeBytes: number;
}

interface Entry {
  held: number;
  fetched: number;
  /** Bytes that sessions of the node have received. */
  received: number;
  nodes: number;
  /** Milliseconds of the thread at which its owner is marked next. */
  longMs: number;
}

const ASK_FOR_LESS = 'Ask for less at a time, with a limit or a condition.';

const shown = (bytes: number): string => `${Math.round((bytes / MIB) * 10) / 10} MB`;

const sentenceOf = (bytes: number, limitBytes: number): string =>
  `The run holds about ${shown(bytes)} of memory, and ${shown(limitBytes)} is the limit of one run ` +
  '(RUNNER_RUN_MEMORY_MB).';

/**
 * Accounts for the memory of runs: an estimate from the JSON that they read and write, which is what their items are
 * made of.
 */
export const createMemoryBudget = ({
  runBytes,
  processBytes,
  heapBytes,
  heapUsed,
  others,
  clock,
  heavyOwners,
  largeBytes,
}: MemoryBounds): MemoryBudget => {
  const entries = new Set<Entry>();
  let total = 0;
  let fullSince: number | undefined;

  const isHeapFull = (): boolean => {
    if (heapUsed() <= heapBytes * HEAP_PART) {
      fullSince = undefined;
      return false;
    }
    fullSince ??= clock();
    if (clock() - fullSince < HEAP_PATIENCE_MS) return true;
    fullSince = undefined;
    return false;
  };
  const open = (ownerKey: string): RunAccount => {
    const note = (bytes: number): void => {
      if (bytes >= largeBytes) heavyOwners?.mark(ownerKey);
    };
    const entry: Entry = { held: 0, fetched: 0, received: 0, nodes: 0, longMs: LONG_THREAD_MS };
    entries.add(entry);
    const sizeOf = (one: Entry): number => one.held + one.fetched;
    const addFetched = (bytes: number): void => {
      entry.fetched += bytes;
      total += bytes;
    };
    const received = (bytes: number): ResultRefused | undefined => {
      addFetched(bytes * PARSED_FACTOR);
      entry.received += bytes;
      // once, not for each of many pieces
      if (entry.received - bytes < largeBytes) note(entry.received);
      if (sizeOf(entry) > runBytes) return new ResultRefused(`${sentenceOf(sizeOf(entry), runBytes)} ${ASK_FOR_LESS}`);
      const isOver = total + others() > processBytes && sizeOf(entry) > processBytes / entries.size;
      return isOver
        ? new ResultRefused(`The runner has no memory for more of what the server sends. ${ASK_FOR_LESS}`)
        : undefined;
    };
    return {
      hold: (bytes) => {
        entry.held += bytes;
        total += bytes;
        note(bytes / PARSED_FACTOR);
        if (sizeOf(entry) > runBytes) throw new RunOverBudget(sizeOf(entry), runBytes);
      },
      begin: () => {
        entry.nodes += 1;
        entry.received = 0;
        addFetched(-entry.fetched);
      },
      http: (http) => ({
        request: async (request) => {
          const response = await http.request(request);
          addFetched(response.body.length * RESPONSE_FACTOR);
          note(response.body.length);
          if (sizeOf(entry) > runBytes)
            throw new NodeFailure(sentenceOf(sizeOf(entry), runBytes), {
              description: 'Fetch less at a time: loop over batches of items, or limit the number of pages.',
            });
          return response;
        },
      }),
      databases: ({ postgres, mysql, redis, mongo }) => ({
        postgres: (server, options, bounds, signal) => postgres(server, options, { ...bounds, received }, signal),
        mysql: (server, options, bounds, signal) => mysql(server, options, { ...bounds, received }, signal),
        redis: (server, bounds, signal) => redis(server, { ...bounds, received }, signal),
        mongo: (server, bounds, signal) => mongo(server, { ...bounds, received }, signal),
      }),
      remote: ({ mailbox, ssh, ftp }) => ({
        mailbox,
        ssh: (server, bounds, signal, use) => ssh(server, { ...bounds, received }, signal, use),
        ftp: (server, bounds, signal, use) => ftp(server, { ...bounds, received }, signal, use),
      }),
      // A run that has not done anything here yet would come back unchanged.
      reasonToGo: () => {
        if (entry.nodes <= 1) return undefined;
        if (heavyOwners?.has(ownerKey) === true) return 'drain';
        const isOver = total + others() > processBytes && entries.size > 1;
        return isOver && [...entries].every((one) => sizeOf(one) <= sizeOf(entry)) ? 'release' : undefined;
      },
      hadThread: (ms) => {
        if (ms >= entry.longMs) {
          entry.longMs = ms + LONG_THREAD_MS;
          heavyOwners?.mark(ownerKey);
        }
        return heavyOwners?.has(ownerKey) === true;
      },
      close: () => {
        entries.delete(entry);
        total -= sizeOf(entry);
        entry.held = 0;
        entry.fetched = 0;
      },
    };
  };
  return { open, hasRoom: () => (entries.size === 0 || total + others() <= processBytes) && !isHeapFull() };
};
