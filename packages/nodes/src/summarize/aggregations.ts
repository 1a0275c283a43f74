import type { Json } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { nameOf } from '../shared/read-parameter';

/** One aggregation of a field of many items. */
export interface Aggregation {
  readonly kind: AggregationKind;
  readonly field: string;
  readonly includeEmpty: boolean;
  readonly separator: string;
  /** True: `min` and `max` ignore everything but numbers. */
  readonly numbersOnly?: boolean;
}

type Present = Exclude<Json, null>;

/** Prefixes of result names, by aggregation. */
const PREFIXES = {
  append: 'appended',
  average: 'average',
  concatenate: 'concatenated',
  count: 'count',
  countUnique: 'unique_count',
  max: 'max',
  min: 'min',
  sum: 'sum',
} as const;
/** Supported aggregations of values. */
export type AggregationKind = keyof typeof PREFIXES;

/** Reads one entry of `fieldsToSummarize`. @throws NodeFailure for an unknown aggregation */
export function readAggregation(entry: Record<string, unknown>): Aggregation {
  const given = entry['aggregation'] ?? 'count';
  const kind = isKind(given) ? given : undefined;
  if (kind === undefined)
    throw new NodeFailure(
      `The aggregation ${JSON.stringify(given) ?? 'nothing'} is not supported. Supported: ` +
        `${Object.keys(PREFIXES).join(', ')}`,
    );
  const separator = entry['separateBy'] === 'other' ? entry['customSeparator'] : entry['separateBy'];
  return {
    kind,
    field: nameOf(entry['field']),
    includeEmpty: entry['includeEmpty'] === true,
    separator: typeof separator === 'string' ? separator : ',',
  };
}

/** The name of an aggregation's result: `sum_price`, without characters that a name cannot contain. */
export function resultName({ kind, field }: Aggregation): string {
  return plainName(`${PREFIXES[kind]}_${field}`);
}

/** A name without brackets and quotes, with `_` for dots and spaces. */
export function plainName(name: string): string {
  return name.replace(/[\]["]/g, '').replace(/[ .]/g, '_');
}

/** The result of an aggregation over the values of its field. */
export function aggregate(
  { kind, includeEmpty, separator, numbersOnly = false }: Aggregation,
  values: readonly (Json | undefined)[],
): Json {
  const compared = numbersOnly ? numbersIn(values) : values;
  const counted = includeEmpty ? values : values.filter((value) => !isEmpty(value));
  switch (kind) {
    case 'append':
      return counted.map((value) => value ?? null);
    case 'concatenate':
      return counted.map(textOf).join(separator);
    case 'count':
      return counted.length;
    case 'countUnique':
      return new Set(counted).size;
    case 'sum':
      return sumOf(values);
    case 'average':
      return averageOf(values);
    case 'max':
      return extreme(compared, (a, b) => a > b);
    case 'min':
      return extreme(compared, (a, b) => a < b);
  }
}

function isKind(value: unknown): value is AggregationKind {
  return typeof value === 'string' && Object.hasOwn(PREFIXES, value);
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function textOf(value: Json | undefined): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function numbersIn(values: readonly (Json | undefined)[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

function sumOf(values: readonly (Json | undefined)[]): number {
  return numbersIn(values).reduce((sum, value) => sum + value, 0);
}

function averageOf(values: readonly (Json | undefined)[]): Json {
  const count = numbersIn(values).length;
  return count === 0 ? null : sumOf(values) / count;
}

/** Values of any type are compared as JavaScript does: arrays as strings, objects never before one another. */
function extreme(values: readonly (Json | undefined)[], isBetter: (a: Present, b: Present) => boolean): Json {
  let best: Present | undefined;
  for (const value of values) {
    if (value === undefined || value === null || value === '') continue;
    if (best === undefined || isBetter(value, best)) best = value;
  }
  return best ?? null;
}
