import { isJsonObject, type Json } from '@weft/service-kit/json-values';
import type { DefinitionError, WorkflowDefinition } from '../definition';

/**
 * Policies for a run whose key has no free slot: it waits for one, ends at once, or takes that of the oldest run, which
 * is cancelled.
 */
export const WHEN_FULL = ['queue', 'skip', 'cancel-oldest'] as const;

export type WhenFull = (typeof WHEN_FULL)[number];

/** Number of runs of one key that may run or wait at once. */
export interface Concurrency {
  /** As written: a constant, or an expression over the input of the run. Empty: the workflow itself is the key. */
  readonly key: string;
  readonly limit: number;
  readonly whenFull: WhenFull;
}

/** Maximum number of slots of one key. */
export const MAX_CONCURRENCY_LIMIT = 1_000;

/** Maximum length of a key as written, in characters. */
const MAX_WRITTEN_KEY = 2_000;

const EXAMPLE = '{ "key": "={{ $json.body.customer }}", "limit": 1, "whenFull": "queue" }';

const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const isLimit = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_CONCURRENCY_LIMIT;

/** `settings.concurrency`; undefined if it is not set or not well-formed: `checkDefinition` reports the errors. */
export function concurrencyOf(concurrency: Json | undefined): Concurrency | undefined {
  const limit = member(concurrency, 'limit');
  const key = member(concurrency, 'key') ?? '';
  const whenFull = member(concurrency, 'whenFull') ?? 'queue';
  const known = WHEN_FULL.find((one) => one === whenFull);
  return isLimit(limit) && typeof key === 'string' && key.length <= MAX_WRITTEN_KEY && known !== undefined
    ? { key, limit, whenFull: known }
    : undefined;
}

/** Errors of `settings.concurrency`. */
export function concurrencyErrors({ settings }: Pick<WorkflowDefinition, 'settings'>): DefinitionError[] {
  const { concurrency } = settings;
  if (concurrency === undefined || concurrency === null) return [];
  if (!isJsonObject(concurrency))
    return [
      { field: 'settings.concurrency', message: `settings.concurrency must be an object, for example ${EXAMPLE}.` },
    ];
  const names = ['key', 'limit', 'whenFull'];
  const errors: DefinitionError[] = Object.keys(concurrency)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      field: `settings.concurrency.${name.slice(0, 100)}`,
      message: `is not a known field. Use: ${names.join(', ')}.`,
    }));
  const key = member(concurrency, 'key');
  if (key !== undefined && key !== null && (typeof key !== 'string' || key.length > MAX_WRITTEN_KEY)) {
    errors.push({
      field: 'settings.concurrency.key',
      message:
        `The key must be a string of at most ${MAX_WRITTEN_KEY} characters: a constant, or an expression over ` +
        'the input of the run. Leave it out to use the workflow itself.',
    });
  }
  if (!isLimit(member(concurrency, 'limit')))
    errors.push({
      field: 'settings.concurrency.limit',
      message: `The limit is required and must be an integer from 1 to ${MAX_CONCURRENCY_LIMIT}.`,
    });
  const whenFull = member(concurrency, 'whenFull');
  if (whenFull !== undefined && whenFull !== null && !WHEN_FULL.some((one) => one === whenFull)) {
    errors.push({
      field: 'settings.concurrency.whenFull',
      message: `whenFull must be one of: ${WHEN_FULL.join(', ')}.`,
    });
  }
  return errors;
}
