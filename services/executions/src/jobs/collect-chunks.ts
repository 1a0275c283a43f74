import type { FindOrphans } from '../domain/chunks';
import type { Clock } from '../domain/ports';

const PAGE = 200;

/** Milliseconds between two rounds through all chunks. */
const ROUND_MS = 10 * 60_000;

/**
 * Deletes chunks that no document names: of executions that expired, of writes that were refused after their chunks
 * were stored, of inputs whose start failed. One page a turn.
 * @returns whether the round goes on.
 */
export const createCollectChunks = (findOrphans: FindOrphans, remove: (chunkIds: readonly string[]) => Promise<void>, clock: Clock) => {
  let after = '';
  let nextRound = clock() + ROUND_MS;
  return async (): Promise<boolean> => {
    if (after === '' && clock() < nextRound) return false;
    const { orphans, last } = await findOrphans(after, PAGE);
    if (orphans.length > 0) await remove(orphans);
    after = last ?? '';
    if (last !== undefined) return true;
    nextRound = clock() + ROUND_MS;
    return false;
  };
};
