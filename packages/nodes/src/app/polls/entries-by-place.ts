import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { createHash } from 'node:crypto';
import { MAX_EVENTS } from './entries-by-time';

/** Maximum number of entries: their hashes are the state of the node. */
export const MAX_ENTRIES = 50_000;
/** One changed entry in 16 million is missed; more bytes would not fit into the state. */
const HASH_BYTES = 3;

/** Kinds of changes that start runs. */
export type WantedChanges = 'added' | 'updated' | 'both';

/** An entry that has changed. */
export interface ChangedEntry {
  /** Place in the list, from 0. */
  readonly index: number;
  readonly change: 'added' | 'updated';
}

/** Hashes of the entries of a list. */
export interface PlacedState {
  readonly source: string;
  readonly hashes: Buffer;
}

/** Reads a state; undefined: this list was not polled yet. */
export function readPlacedState(state: Json | undefined, source: string): PlacedState | undefined {
  if (!isJsonObject(state) || state['source'] !== source || typeof state['hashes'] !== 'string') return undefined;
  return { source, hashes: Buffer.from(state['hashes'], 'base64') };
}

export const placedStateJson = ({ source, hashes }: PlacedState): JsonObject => ({
  source,
  hashes: hashes.toString('base64'),
});

/**
 * The hashes of entries, by the JSON of what is compared.
 * @throws NodeFailure for too many
 */
export function hashesOf(texts: readonly string[]): Buffer {
  if (texts.length > MAX_ENTRIES)
    throw new NodeFailure(`The list has ${texts.length} entries.`, {
      description: `At most ${MAX_ENTRIES} entries can be watched. Choose a smaller range.`,
    });
  return Buffer.concat(texts.map((text) => createHash('sha256').update(text).digest().subarray(0, HASH_BYTES)));
}

/**
 * The entries that differ from those at the same place before, and the next hashes. More than fit into one run are left
 * to the next poll.
 * @param isEmpty true for an entry that starts nothing
 */
export function changedByPlace(
  before: Buffer,
  hashes: Buffer,
  wanted: WantedChanges,
  isEmpty: (index: number) => boolean,
): { readonly events: readonly ChangedEntry[]; readonly next: Buffer } {
  const count = hashes.length / HASH_BYTES;
  const known = before.length / HASH_BYTES;
  const at = (all: Buffer, index: number): Buffer => all.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  const changed: ChangedEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    const change = index >= known ? 'added' : 'updated';
    if ((wanted !== 'both' && wanted !== change) || isEmpty(index)) continue;
    if (change === 'added' || !at(hashes, index).equals(at(before, index))) changed.push({ index, change });
  }
  const left = changed.slice(MAX_EVENTS);
  const firstAdded = left.find(({ change }) => change === 'added')?.index ?? count;
  const next = Buffer.from(hashes.subarray(0, firstAdded * HASH_BYTES));
  for (const { index, change } of left) if (change === 'updated') at(before, index).copy(next, index * HASH_BYTES);
  return { events: changed.slice(0, MAX_EVENTS), next };
}
