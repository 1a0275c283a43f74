import { HEALTHY_KINDS } from '@weft/chaos/healthy-kinds';
import type { Kind } from '@weft/chaos/kind';
import { MIXED_KINDS } from '@weft/chaos/kinds';
import { chain, effect, node } from '@weft/chaos/workflow-file';

const healthy = (name: string): Kind => {
  const kind = HEALTHY_KINDS.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}.`);
  return kind;
};

/** Waits for longer than a runner holds a run: it is paused in the store, and continues wherever a runner is free. */
const PAUSED: Kind = {
  name: 'paused',
  weight: 2,
  start: { by: 'execute' },
  effects: 1,
  body: (n) => ({ n }),
  build: ({ sinkUrl }) =>
    chain(
      'paused',
      [
        node('Start', 'manualTrigger', 1),
        node('Wait', 'wait', 1.1, { amount: 75, unit: 'seconds' }),
        effect('Effect', sinkUrl, '/effect'),
      ],
      false,
    ),
};

/** Ends when its caller calls the address with which it answered. */
export const RESUMED = healthy('resumed');

/** Starts every three seconds, without a caller. */
export const SCHEDULED = healthy('scheduled');

/** Called by runs of {@link LOAD_KINDS}. */
export const CHILD = healthy('child');

/** The runs that are started all the time: short ones, awaited ones, waits of 3, 26 and 75 s, code, sub-workflows. */
export const LOAD_KINDS: readonly Kind[] = [
  ...MIXED_KINDS,
  healthy('coded'),
  healthy('timed'),
  healthy('large'),
  healthy('parent'),
  PAUSED,
];

/**
 * Kinds whose callers wait for long. A gateway that ends answers them after its drain, and a gateway whose run was
 * handed over may answer before the run has ended: 503 with the id of the run, which continues.
 */
export const LONG_CALLERS: ReadonlySet<string> = new Set(['lasting', 'sleeping']);
