import { StackError } from '@weft/local-stack';
import { parseArgs } from 'node:util';

/** Options of `npm run check:upgrade`. */
export interface Options {
  /** Version to upgrade from; undefined: the last release before this checkout. */
  readonly from: string | undefined;
  /** Starts per second. */
  readonly perSecond: number;
}

const USAGE = 'Usage: npm run check:upgrade -- [--from VERSION] [--per-second N]';
const MAX_PER_SECOND = 200;

/** Reads the arguments. @throws StackError with the usage */
export const readOptions = (args: readonly string[]): Options => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { from: { type: 'string' }, 'per-second': { type: 'string', default: '10' } },
    });
    const perSecond = Number(values['per-second']);
    if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > MAX_PER_SECOND)
      throw new Error(`--per-second must be an integer from 1 to ${MAX_PER_SECOND}.`);
    return { from: values.from, perSecond };
  } catch (error) {
    throw new StackError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
};
