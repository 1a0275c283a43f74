import type { Json } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { StateChange } from '../shared/persistent-state/update-state';
import { requireKind } from './seen-history';

/** Number of writes recorded with the value they found, so that a run repeated after a crash finds its own. */
const WRITES_KEPT = 200;

interface LatestWrite {
  readonly operation: string;
  /** The greatest value before it; null if none. */
  readonly before: number | null;
}

/**
 * Determines which numbers exceed all numbers of earlier runs, and stores the greatest. An operation that is repeated
 * after a crash compares with the value it found the first time.
 * @param value the stored history
 * @throws NodeFailure if the history belongs to another logic
 */
export function rememberLatest(
  value: Json | undefined,
  numbers: readonly number[],
  operation: string,
): StateChange<readonly boolean[]> {
  const { latest, writes } = readHistory(value);
  const own = writes.filter((write) => write.operation === operation);
  const before = own.length === 0 ? latest : (own[0]?.before ?? null);
  const isNew = numbers.map((number) => before === null || number > before);
  const greatest = numbers.reduce((most, number) => Math.max(most, number), latest ?? -Infinity);
  if (numbers.length === 0 || greatest === latest) return { result: isNew };
  const next = [...writes, { operation, before }].slice(-WRITES_KEPT);
  return {
    result: isNew,
    write: {
      value: { kind: 'latest', latest: greatest, writes: next.map((write): Json => [write.operation, write.before]) },
      operation: `${operation}:${own.length}`,
    },
  };
}

function readHistory(value: Json | undefined): { latest: number | null; writes: readonly LatestWrite[] } {
  if (!isJsonObject(value)) return { latest: null, writes: [] };
  requireKind(value, 'latest');
  const { latest, writes } = value;
  return {
    latest: typeof latest === 'number' ? latest : null,
    writes: (Array.isArray(writes) ? writes : []).flatMap((write): LatestWrite[] => {
      if (!Array.isArray(write) || typeof write[0] !== 'string') return [];
      return [{ operation: write[0], before: typeof write[1] === 'number' ? write[1] : null }];
    }),
  };
}
