import type { ApiKeyStore, KeyHolder } from './api-key';
import type { Batcher } from './verify-api-key';

/** Dependencies of noting uses. */
export interface NoteUsePorts {
  readonly apiKeys: Pick<ApiKeyStore, 'setLastUsed'>;
  readonly createBatcher: Batcher;
  readonly clock: () => Date;
  /** Receives the error of a write, which fails no request. */
  readonly onNoteFailure: (error: unknown) => void;
}

/** Notes that a key was used just now. Nobody waits for the write. */
export type NoteUse = (key: KeyHolder) => void;

/** Minimum interval between two writes for a key, in milliseconds. */
const EVERY_MS = 60_000;

/**
 * Writes the last use of keys: at most once a minute for a key over all replicas, those of one moment together. The
 * first use after a minute counts, so the time may be up to a minute too early.
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
