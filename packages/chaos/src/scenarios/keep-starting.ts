import type { Kind } from '../load/kind';
import { keepRate, type Offered, type Rate } from './keep-rate';
import { kindAt } from './kinds';
import { startRun, type Ingress, type Wanted } from './start-run';

/** A steady load of starts by careful clients. */
export interface Starts extends Omit<Rate, 'send'> {
  /** Kinds that are started in turn, by their weights. */
  readonly kinds: readonly Kind[];
  readonly keyOf: (kind: Kind, index: number) => string;
  /** Called with each start once it has its final answer. */
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
