import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import type { FirstResult } from '@weft/engine';

/** The turn of an execution that polls, or has polled. */
export interface PollTurn {
  readonly executionId: string;
  /** Unix milliseconds at which it began. */
  readonly at: number;
  /** State that counts once the execution has stored its events. Absent: it has found none yet. */
  readonly next?: Json;
  /** What the source needs to give its events again, although the server may no longer call them new. */
  readonly redo?: Json;
}

/** What the polls of a node keep between runs. */
export interface KeptPoll {
  /** State up to which all events have been passed on. Absent: there was no poll yet. */
  readonly state?: Json;
  /** Of events that were found, but not passed on. */
  readonly redo?: Json;
  readonly turn?: PollTurn;
  /** Polls that failed in a row. */
  readonly failures: number;
  /** Unix milliseconds before which the server is not asked again. */
  readonly retryAt?: number;
}

const FIRST_DELAY_MS = 30_000;
/** Longest pause after failures. */
export const MAX_DELAY_MS = 3_600_000;

/** Reads what is stored; what nobody wrote counts as nothing. */
export function readKeptPoll(value: Json | undefined): KeptPoll {
  if (!isJsonObject(value)) return { failures: 0 };
  const { state, redo, turn, failures, retryAt } = value;
  const read = readTurn(turn);
  return {
    ...(state === undefined ? {} : { state }),
    ...(redo === undefined ? {} : { redo }),
    ...(read === undefined ? {} : { turn: read }),
    failures: typeof failures === 'number' ? failures : 0,
    ...(typeof retryAt === 'number' ? { retryAt } : {}),
  };
}

/** The same as JSON. */
export function keptPollJson({ turn, ...kept }: KeptPoll): JsonObject {
  return { ...kept, ...(turn === undefined ? {} : { turn: { ...turn } }) };
}

/**
 * What counts now that the fate of the last turn is known. Its state counts if its events are stored; else the events
 * are still to be passed on, which is a failure like any other.
 */
export function settleTurn({ turn, ...kept }: KeptPoll, fate: Exclude<FirstResult, 'pending'> | 'own'): KeptPoll {
  if (turn === undefined) return kept;
  const open = turn.redo === undefined ? kept : { ...kept, redo: turn.redo };
  switch (fate) {
    case 'own':
      return open;
    case 'missing':
      return failedPoll(open, turn.at);
    case 'stored':
    case 'gone':
      return turn.next === undefined ? kept : { state: turn.next, failures: 0 };
  }
}

/** The same after a failure at `at`: the pause doubles with each. */
export function failedPoll({ turn: _turn, ...kept }: KeptPoll, at: number): KeptPoll {
  const failures = kept.failures + 1;
  return { ...kept, failures, retryAt: at + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20)) };
}

/** True while the server is left alone. A time further away than any pause was written by a clock that was wrong. */
export function isPausing({ retryAt }: KeptPoll, now: number): boolean {
  return retryAt !== undefined && retryAt > now && retryAt - now <= MAX_DELAY_MS;
}

function readTurn(turn: Json | undefined): PollTurn | undefined {
  if (!isJsonObject(turn) || typeof turn['executionId'] !== 'string') return undefined;
  const { executionId, at, next, redo } = turn;
  return {
    executionId,
    at: typeof at === 'number' ? at : 0,
    ...(next === undefined ? {} : { next }),
    ...(redo === undefined ? {} : { redo }),
  };
}
