import type { ApiKeyStore, KeyHolder } from './api-key';
import type { Batcher } from './verify-api-key';

export interface NoteUsePorts {
  readonly apiKeys: Pick<ApiKeyStore, 'setLastUsed'>;
  readonly createBatcher: Batcher;
  readonly clock: () => Date;
  /** Called with the error of a write, which fails no request. */
  readonly onNoteFailure: (error: unknown) => void;
}

/** Records that a key was just used, without waiting for the write. */
export type NoteUse = (key: KeyHolder) => void;

/** Minimum interval between two writes for a key, in milliseconds. */
const EVERY_MS = 60_000;

/**
 * Writes the last use of keys: at most once a minute per key across all replicas, and batched. The first use in a
 * minute counts, so the time may be up to a minute early.
 */
export const createNoteUse = ({ apiKeys, createBatcher, clock, onNoteFailure }: NoteUsePorts): NoteUse => {
  const underWay = new Set<string>();
  const write = createBatcher<string, true>(async (ids) => {
    const now = clock();
    await apiKeys.setLastUsed(ids, now, new Date(now.getTime() - EVERY_MS));
    return ids.map(() => true);
  });
  return function noteUse({ id, lastUsedAt }) {
    if (lastUsedAt !== undefined && clock().getTime() - lastUsedAt.getTime() < EVERY_MS) return;
    if (underWay.has(id)) return;
    underWay.add(id);
    write(id)
      .catch(onNoteFailure)
      .finally(() => underWay.delete(id));
  };
};
