import { NodeFailure } from '@weft/engine';
import {
  type Databases,
  OutboundError,
  type OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  type RemoteServers,
  ResultRefused,
} from '@weft/outbound';
import { RunError } from './execution-store';
import type { HeavyOwners } from './heavy-owners';
import { createMemoryRoom, type Holder } from './memory-room';

/** Bytes of heap that a byte of JSON text takes once it is read, about. */
export const PARSED_FACTOR = 3;
/** A response is held unchanged, and once more while it is read. */
const RESPONSE_FACTOR = 2;
/** Bytes for a byte of a large response: itself, its text, its items, and their records as they are written. */
const FETCH_FACTOR = 8;
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
  /**
   * Waits until there is room for stored data that are large, where they are expected to be.
   * @param onLate called after five minutes
   */
  readonly makeRoomToLoad: (signal: AbortSignal, onLate: () => void) => Promise<void>;
  /** Another node begins: responses that the one before fetched no longer count. */
  readonly begin: () => void;
  /**
   * Counts responses to the run as long as its node runs. A large one is read when there is room for it and what is
   * made of it. A request whose response exceeds the budget fails the node.
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
  /** True: what a run has stored is taken for large until it is read. */
  readonly expectsLarge: boolean;
}

interface Entry extends Holder {
  held: number;
  fetched: number;
  /** Bytes for what is being fetched, and for what is made of it. */
  reserved: number;
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

const noRoom = (): OutboundError =>
  new OutboundError('TOO_LARGE', `The runner has had no memory for the response for five minutes. ${ASK_FOR_LESS}`);

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
  expectsLarge,
}: MemoryBounds): MemoryBudget => {
  const entries = new Set<Entry>();
  let total = 0;
  let fullSince: number | undefined;
  const room = createMemoryRoom(entries, () => processBytes - others());

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
    const entry: Entry = {
      ownerKey,
      size: () => entry.held + entry.fetched + entry.reserved,
      waiting: 0,
      held: 0,
      fetched: 0,
      reserved: 0,
      received: 0,
      nodes: 0,
      longMs: LONG_THREAD_MS,
    };
    entries.add(entry);
    const reserve = (bytes: number): void => {
      entry.reserved += bytes;
      total += bytes;
    };
    /** The node that had asked for it has ended. */
    const giveBack = (): void => {
      reserve(-entry.reserved);
      if (entry.waiting > 0) room.forget(entry);
      room.retry();
    };
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
    /** Reads a response as there is room for it. What is reserved stays until the node ends, as its items do. */
    const fetch = async (http: OutboundHttp, request: OutboundRequest): Promise<OutboundResponse> => {
      const node = entry.nodes;
      let reserved = 0;
      const change = (bytes: number): void => {
        if (entry.nodes !== node) return;
        reserve(bytes - reserved);
        reserved = bytes;
        if (bytes === 0) room.retry();
      };
      const makeRoom = (bytes: number): Promise<void> => {
        const wanted = bytes * FETCH_FACTOR;
        return room.ask(entry, wanted - reserved, { take: () => change(wanted), late: noRoom, signal: request.signal });
      };
      try {
        const response = await http.request({ ...request, makeRoom });
        if (reserved > 0) change(response.body.length * (FETCH_FACTOR - RESPONSE_FACTOR));
        return response;
      } catch (error) {
        change(0);
        throw error;
      }
    };
    return {
      hold: (bytes) => {
        entry.held += bytes;
        total += bytes;
        note(bytes / PARSED_FACTOR);
        if (sizeOf(entry) > runBytes) throw new RunOverBudget(sizeOf(entry), runBytes);
      },
      makeRoomToLoad: async (signal, onLate) => {
        if (!expectsLarge) return;
        const bytes = largeBytes * FETCH_FACTOR;
        const late = (): Error => {
          onLate();
          return new Error('There was no memory for the stored data of the run.');
        };
        await room.ask(entry, bytes, { take: () => reserve(bytes), late, signal });
      },
      begin: () => {
        entry.nodes += 1;
        entry.received = 0;
        addFetched(-entry.fetched);
        giveBack();
      },
      http: (http) => ({
        request: async (request) => {
          const response = await fetch(http, request);
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
        entry.nodes += 1;
        giveBack();
      },
    };
  };
  return { open, hasRoom: () => (entries.size === 0 || total + others() <= processBytes) && !isHeapFull() };
};
