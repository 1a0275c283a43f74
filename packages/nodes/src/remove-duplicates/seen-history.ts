import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { createHash } from 'node:crypto';
import { NodeFailure } from '@weft/engine';
import type { StateChange } from '../shared/persistent-state/update-state';

/** Number of writes recorded with the values they added, so that a run repeated after a crash finds its own. */
const WRITES_KEPT = 1_000;
/** Length of a digest: long enough to avoid collisions, short enough to store many. */
const DIGEST_CHARACTERS = 20;

/** Seen values, oldest first, and the number of values at the end that each operation added. */
interface SeenHistory {
  readonly entries: readonly string[];
  readonly writes: readonly (readonly [operation: string, count: number])[];
}

/** Result for the values of one node run. */
export interface SeenResult {
  /** By value: true if no earlier run had it. */
  readonly isNew: readonly boolean[];
  /** Number of entries now stored. */
  readonly kept: number;
}

/**
 * Separates new values from those seen before, and adds the new ones. Values that the same operation added before count
 * as new: it runs again after a crash, and no other run has processed its items.
 * @param value the stored history
 * @param historySize number of stored entries; the oldest are dropped first
 * @throws NodeFailure if the history belongs to another logic
 */
export function rememberSeen(
  value: Json | undefined,
  values: readonly string[],
  operation: string,
  historySize: number,
): StateChange<SeenResult> {
  const history = readHistory(value);
  const own = digestOf(operation);
  const others = new Set<string>();
  const mine = new Set<string>();
  let at = history.entries.length - history.writes.reduce((sum, [, count]) => sum + count, 0);
  for (const entry of history.entries.slice(0, Math.max(0, at))) others.add(entry);
  for (const [writer, count] of history.writes) {
    for (const entry of history.entries.slice(at, at + count)) (writer === own ? mine : others).add(entry);
    at += count;
  }
  const digests = values.map(digestOf);
  const isNew = digests.map((digest) => !others.has(digest));
  const added = [...new Set(digests)].filter((digest) => !others.has(digest) && !mine.has(digest));
  if (added.length === 0) return { result: { isNew, kept: history.entries.length } };
  const entries = [...history.entries, ...added].slice(-historySize);
  const writes = fitted([...history.writes, [own, added.length] as const], entries.length);
  const sequence = history.writes.filter(([writer]) => writer === own).length;
  return {
    result: { isNew, kept: entries.length },
    write: {
      value: { kind: 'values', entries, writes: writes.map(([writer, count]): Json => [writer, count]) },
      operation: `${operation}:${sequence}`,
    },
  };
}

/** The newest writes that fit: they added no more values than there are entries. */
function fitted(writes: SeenHistory['writes'], entries: number): SeenHistory['writes'] {
  const kept: (readonly [string, number])[] = [];
  let left = entries;
  for (const [writer, count] of writes.slice(-WRITES_KEPT).reverse()) {
    if (left === 0) break;
    kept.unshift([writer, Math.min(count, left)]);
    left -= Math.min(count, left);
  }
  return kept;
}

function readHistory(value: Json | undefined): SeenHistory {
  if (!isJsonObject(value)) return { entries: [], writes: [] };
  requireKind(value, 'values');
  const { entries, writes } = value;
  return {
    entries: Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [],
    writes: (Array.isArray(writes) ? writes : []).flatMap((write): [string, number][] =>
      Array.isArray(write) && typeof write[0] === 'string' && typeof write[1] === 'number'
        ? [[write[0], write[1]]]
        : [],
    ),
  };
}

/** @throws NodeFailure if a stored history belongs to another logic */
export function requireKind(history: JsonObject, kind: 'values' | 'latest'): void {
  if (history['kind'] === kind) return;
  throw new NodeFailure('The history was stored with another logic', {
    description: 'Clear it once with the operation "Clear Deduplication History", or use the other scope.',
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARACTERS);
}
