import { Buffer } from 'node:buffer';
import type { ThreadHold } from '@weft/engine';

/** The run that a watchdog names. */
export interface WatchedRun {
  readonly executionId: string;
  readonly workflowId: string;
  readonly versionId: string;
  /** As in `ownerKeyOf`. */
  readonly ownerKey: string;
}

/** A run and the node that it executes; empty before its first node. */
export interface HoldingRun extends WatchedRun {
  readonly node: string;
}

/** Indexes of the words at the start of the memory. */
export const WORD = {
  /** Slot of the run that has the thread; 0: none. */
  holder: 0,
  /** Number of turns; changes whenever another run gets the thread, and when the thread is free. */
  turn: 1,
  /** 1: several runs had the thread since it was last free, and one may continue without having said so. */
  isShared: 2,
  /** 1: the holder is certain, since it executes something synchronous. */
  isCertain: 3,
  /** 1: the watchdog sleeps until a run gets the thread. */
  isAsleep: 4,
  /** Never changes: the watchdog waits for it with a time limit. */
  never: 5,
} as const;

const HEADER_BYTES = 64;
const SLOT_BYTES = 512;
/** Two lengths, then the node, then the facts of the run, separated. */
const NODE_AT = 8;
const SEPARATOR = '\n';
const MAX_NODE_BYTES = 128;
const FACTS_AT = NODE_AT + MAX_NODE_BYTES;
/** Runs beyond that are not watched; only the pages of slots in use take memory. */
const MAX_SLOTS = 4_096;

/** The memory that the engine's thread shares with its watchdog: which run has the thread. */
export const createSharedMemory = (): SharedArrayBuffer => new SharedArrayBuffer(HEADER_BYTES + MAX_SLOTS * SLOT_BYTES);

const addressOf = (slot: number): number => HEADER_BYTES + (slot - 1) * SLOT_BYTES;

/** Opens the hold of a run. The caller closes it when the run has ended here. */
export type OpenHold = (run: WatchedRun) => ThreadHold;

const NOT_WATCHED: ThreadHold = {
  mark: () => undefined,
  within: (work) => work(),
  node: () => undefined,
  close: () => undefined,
};

/** The side of the engine's thread. It writes words without atomic operations: the watchdog compares several reads. */
export const createThreadWord = (memory: SharedArrayBuffer): OpenHold => {
  const words = new Int32Array(memory);
  const bytes = Buffer.from(memory);
  const free: number[] = [];
  let used = 0;
  let isClearing = false;
  const nextTurn = (): void => {
    words[WORD.turn] = ((words[WORD.turn] ?? 0) + 1) | 0;
  };
  /** Comes when everything that can run now has run. */
  const clear = (): void => {
    isClearing = false;
    words[WORD.holder] = 0;
    words[WORD.isShared] = 0;
    nextTurn();
  };
  const begin = (slot: number): void => {
    if (words[WORD.holder] !== 0) words[WORD.isShared] = 1;
    words[WORD.holder] = slot;
    nextTurn();
    if (!isClearing) {
      isClearing = true;
      process.nextTick(clear);
    }
    if (words[WORD.isAsleep] === 1) {
      words[WORD.isAsleep] = 0;
      Atomics.notify(words, WORD.isAsleep);
    }
  };
  return ({ executionId, workflowId, versionId, ownerKey }) => {
    const facts = `${executionId}${SEPARATOR}${workflowId}${SEPARATOR}${versionId}${SEPARATOR}${ownerKey}`;
    // Ids are ASCII.
    if (facts.length > SLOT_BYTES - FACTS_AT) return NOT_WATCHED;
    const slot = free.pop() ?? (used < MAX_SLOTS ? (used += 1) : undefined);
    if (slot === undefined) return NOT_WATCHED;
    const at = addressOf(slot);
    words[at / 4] = 0;
    words[at / 4 + 1] = bytes.write(facts, at + FACTS_AT, facts.length, 'latin1');
    let isOpen = true;
    const mark = (): void => {
      if (words[WORD.holder] !== slot && isOpen) begin(slot);
    };
    return {
      mark,
      within: (work) => {
        if (!isOpen) return work();
        mark();
        const wasCertain = words[WORD.isCertain] ?? 0;
        words[WORD.isCertain] = 1;
        try {
          return work();
        } finally {
          words[WORD.isCertain] = wasCertain;
        }
      },
      node: (name) => {
        if (isOpen) words[at / 4] = bytes.write(name, at + NODE_AT, MAX_NODE_BYTES);
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        if (words[WORD.holder] === slot) {
          // Its slot may belong to another run before the thread is free.
          words[WORD.isShared] = 1;
          words[WORD.holder] = 0;
          nextTurn();
        }
        free.push(slot);
      },
    };
  };
};

/** The run in a slot, read by the watchdog while the engine's thread is blocked. */
export const readSlot = (memory: SharedArrayBuffer, slot: number): HoldingRun | undefined => {
  const bytes = Buffer.from(memory);
  const at = addressOf(slot);
  const [nodeLength, factsLength] = [bytes.readInt32LE(at), bytes.readInt32LE(at + 4)];
  const facts = bytes.toString('latin1', at + FACTS_AT, at + FACTS_AT + factsLength);
  const [executionId, workflowId, versionId, ownerKey] = facts.split(SEPARATOR);
  if (executionId === undefined || workflowId === undefined || versionId === undefined || ownerKey === undefined)
    return undefined;
  const node = bytes.toString('utf8', at + NODE_AT, at + NODE_AT + nodeLength);
  return { executionId, workflowId, versionId, ownerKey, node };
};
