import type { Kind } from '../load/kind';
import { keepRate, type Offered, type Rate } from './keep-rate';
import { kindAt } from './kinds';
import { startRun, type Ingress, type Wanted } from './start-run';

/** A steady load of starts by careful clients. */
export interface Starts extends Omit<Rate, 'send'> {
  /** Started in turn, by their weights. */
  readonly kinds: readonly Kind[];
  readonly keyOf: (kind: Kind, index: number) => string;
  /** Gets each start once it has been answered for good. */
  readonly wanted: Wanted[];
}

/** Starts runs at that rate, and returns when the last has been answered. */
export const keepStarting = (ingress: Ingress, { kinds, keyOf, wanted, ...rate }: Starts): Promise<Offered> =>
  keepRate({
    ...rate,
    send: async (index) => {
      const kind = kindAt(kinds, index);
      wanted.push(await startRun(kind, index, keyOf(kind, index), ingress));
    },
  });
