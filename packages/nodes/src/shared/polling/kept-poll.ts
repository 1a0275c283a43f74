import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import type { FirstResult } from '@weft/engine';

/** The poll of an execution that is polling or has polled. */
export interface PollTurn {
  readonly executionId: string;
  /** Unix milliseconds at which it began. */
  readonly at: number;
  /** State that applies once the execution has stored its events. Absent: no events were found yet. */
  readonly next?: Json;
  /** Data that the source needs to return its events again if the server no longer reports them as new. */
  readonly redo?: Json;
}

/** The state that a node keeps between polls. */
export interface KeptPoll {
  /** State up to which all events have been passed on. Absent: the node has not polled yet. */
  readonly state?: Json;
  /** Replay data of events that were found but not passed on. */
  readonly redo?: Json;
  readonly turn?: PollTurn;
  /** Number of consecutive failed polls. */
  readonly failures: number;
  /** Unix milliseconds before which the server is not polled again. */
  readonly retryAt?: number;
}

const FIRST_DELAY_MS = 30_000;
/** Maximum pause after failures. */
export const MAX_DELAY_MS = 3_600_000;

/** Reads the stored state; an invalid value counts as no state. */
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

export function keptPollJson({ turn, ...kept }: KeptPoll): JsonObject {
  return { ...kept, ...(turn === undefined ? {} : { turn: { ...turn } }) };
}

/**
 * The state once the outcome of the last poll is known. If its events are stored, its state applies; otherwise the
 * events must be passed on again, which counts as a failure.
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

/** The state after a failure at `at`: the pause doubles with each failure. */
export function failedPoll({ turn: _turn, ...kept }: KeptPoll, at: number): KeptPoll {
  const failures = kept.failures + 1;
  return { ...kept, failures, retryAt: at + Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20)) };
}

/** True while polling is paused. A time beyond the maximum pause was written by a wrong clock and is ignored. */
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
