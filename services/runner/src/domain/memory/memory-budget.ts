import type { Databases, OutboundHttp, OutboundStreams, RemoteServers } from '@weft/outbound';
import { countDatabases, countRemote, countStreams, type Received, requestInRoom } from './counted-ports';
import type { OverShareOwners } from '../claims/shares/over-share-owners';
import { createKeptRoom, FETCH_FACTOR, type KeepingHolder, RESPONSE_FACTOR } from './kept-room';
import {
  fetchedTooMuch,
  fetchedWithoutRoom,
  receivedTooMuch,
  receivedWithoutRoom,
  RunOverBudget,
  streamedWithoutRoom,
} from './memory-refusals';
import { createMemoryRoom } from './memory-room';

/** Approximate heap bytes per byte of parsed JSON. */
export const PARSED_FACTOR = 3;
/** Share of the heap limit above which no new work is accepted, whatever uses the heap. */
const HEAP_PART = 0.85;
/**
 * Maximum milliseconds for which heap use alone blocks new work: it may be garbage, which is freed only when there is
 * activity.
 */
const HEAP_PATIENCE_MS = 1_000;

/** Memory that one run uses in this process. */
export interface RunAccount {
  /** Counts data that stays until the run ends or pauses here. @throws RunOverBudget */
  readonly hold: (bytes: number) => void;
  /**
   * Waits for room for large stored data, where runs with such data are expected.
   * @param onLate called after five minutes
   */
  readonly makeRoomToLoad: (signal: AbortSignal, onLate: () => void) => Promise<void>;
  /** Begins the next node: responses fetched by the previous one no longer count. */
  readonly begin: () => void;
  /**
   * Counts responses to the run while its node runs. A large one is read when there is room for it and the data derived
   * from it. A request whose response exceeds the budget fails the node.
   */
  readonly http: (http: OutboundHttp) => OutboundHttp;
  /**
   * Counts chunks of streamed responses while the node of the run runs. A stream that exceeds a budget ends, and fails
   * the node.
   */
  readonly streams: (streams: OutboundStreams) => OutboundStreams;
  /** Counts what databases send to the run while its node runs. Exceeding a budget ends the session. */
  readonly databases: (databases: Databases) => Databases;
  /** The same for files and the output of commands. */
  readonly remote: (remote: RemoteServers) => RemoteServers;
  /**
   * Why the run must move. `release`, after a while: the process is out of memory, this run uses the most, and others
   * would benefit. `drain`, at once: its owner uses large data.
   */
  readonly reasonToGo: () => 'release' | 'drain' | undefined;
  readonly close: () => void;
}

/** Memory that all runs of one process use. */
export interface MemoryBudget {
  /** @param ownerKey the owner of the run */
  readonly open: (ownerKey: string) => RunAccount;
  /** Whether there is room for more runs. */
  readonly hasRoom: () => boolean;
}

/** Limits of a process. */
export interface MemoryBounds {
  readonly runBytes: number;
  /** High-water mark of all runs. */
  readonly processBytes: number;
  readonly heapBytes: number;
  /** Bytes of heap in use, including garbage. */
  readonly heapUsed: () => number;
  /** Bytes used outside of runs. */
  readonly others: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Receives owners with large data; absent: this process handles all data. */
  readonly overShareOwners?: OverShareOwners;
  /** Bytes of JSON of one response or node run from which data counts as large. */
  readonly largeBytes: number;
  /** Whether the stored data of a run counts as large until it is read. */
  readonly expectsLarge: boolean;
}

interface Entry extends KeepingHolder {
  held: number;
  fetched: number;
  /** Bytes that sessions of the node have received. */
  received: number;
  nodes: number;
}

/** Accounts for the memory of runs, estimated from the JSON that they read and write. */
export const createMemoryBudget = ({
  runBytes,
  processBytes,
  heapBytes,
  heapUsed,
  others,
  clock,
  overShareOwners,
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
      if (bytes >= largeBytes) overShareOwners?.mark(ownerKey);
    };
    const entry: Entry = {
      ownerKey,
      size: () => entry.held + entry.fetched + entry.reserved + entry.slow,
      slowSize: () => entry.slow,
      waiting: 0,
      held: 0,
      fetched: 0,
      reserved: 0,
      slow: 0,
      received: 0,
      nodes: 0,
    };
    entries.add(entry);
    const count = (bytes: number): void => {
      total += bytes;
    };
    /** The requesting node has ended. */
    const giveBack = (): void => {
      count(-entry.reserved - entry.slow);
      entry.reserved = 0;
      entry.slow = 0;
      if (entry.waiting > 0) room.forget(entry);
      room.retry();
    };
    const sizeOf = (one: Entry): number => one.held + one.fetched;
    const addFetched = (bytes: number): void => {
      entry.fetched += bytes;
      count(bytes);
    };
    /** Counts a piece of data as it arrives. @returns the limit that the run exceeds */
    const arrived = (bytes: number): 'run' | 'process' | undefined => {
      addFetched(bytes * PARSED_FACTOR);
      entry.received += bytes;
      // once, not per piece
      if (entry.received - bytes < largeBytes) note(entry.received);
      if (sizeOf(entry) > runBytes) return 'run';
      const isOver = total + others() > processBytes && sizeOf(entry) > processBytes / entries.size;
      return isOver ? 'process' : undefined;
    };
    const received: Received = (bytes) => {
      const exceeded = arrived(bytes);
      if (exceeded === undefined) return undefined;
      return exceeded === 'run' ? receivedTooMuch(sizeOf(entry), runBytes) : receivedWithoutRoom();
    };
    return {
      hold: (bytes) => {
        entry.held += bytes;
        count(bytes);
        note(bytes / PARSED_FACTOR);
        if (sizeOf(entry) > runBytes) throw new RunOverBudget(sizeOf(entry), runBytes);
      },
      makeRoomToLoad: async (signal, onLate) => {
        if (!expectsLarge) return;
        const late = (): Error => {
          onLate();
          return new Error('There was not enough memory for the stored data of the run.');
        };
        await createKeptRoom(entry, room, count, { late, signal }).make(largeBytes);
      },
      begin: () => {
        entry.nodes += 1;
        entry.received = 0;
        addFetched(-entry.fetched);
        giveBack();
      },
      http: (http) => ({
        request: async (request) => {
          const { signal } = request;
          const kept = createKeptRoom(entry, room, count, { late: fetchedWithoutRoom, signal });
          const response = await requestInRoom(http, request, kept);
          addFetched(response.body.length * RESPONSE_FACTOR);
          kept.shrink(response.body.length * (FETCH_FACTOR - RESPONSE_FACTOR));
          note(response.body.length);
          if (sizeOf(entry) > runBytes) throw fetchedTooMuch(sizeOf(entry), runBytes);
          return response;
        },
      }),
      streams: (streams) =>
        countStreams(streams, (bytes) => {
          // a chunk that arrives after its run
          if (!entries.has(entry)) return;
          const exceeded = arrived(bytes);
          if (exceeded === 'run') throw fetchedTooMuch(sizeOf(entry), runBytes);
          if (exceeded === 'process') throw streamedWithoutRoom();
        }),
      databases: (databases) => countDatabases(databases, received),
      remote: (remote) => countRemote(remote, received),
      // A run without progress here would come back unchanged.
      reasonToGo: () => {
        if (entry.nodes <= 1) return undefined;
        if (overShareOwners?.has(ownerKey) === true) return 'drain';
        const isOver = total + others() > processBytes && entries.size > 1;
        return isOver && [...entries].every((one) => sizeOf(one) <= sizeOf(entry)) ? 'release' : undefined;
      },
      close: () => {
        entries.delete(entry);
        count(-sizeOf(entry));
        entry.held = 0;
        entry.fetched = 0;
        entry.nodes += 1;
        giveBack();
      },
    };
  };
  return { open, hasRoom: () => (entries.size === 0 || total + others() <= processBytes) && !isHeapFull() };
};
