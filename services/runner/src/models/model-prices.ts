import type { ModelPrice } from '@weft/engine';
import { isJsonObject, type Json } from '@weft/service-kit/json';

/** Patterns of a file, and characters of one. */
const MAX_PATTERNS = 500;
const MAX_PATTERN = 100;

/** Prices by patterns of names of models. */
export interface ModelPrices {
  /** The pattern that holds for a model; undefined: none. */
  readonly patternOf: (model: string) => string | undefined;
  readonly priceOf: (model: string) => ModelPrice | undefined;
}

const EXAMPLE = '{ "gpt-4o*": { "input": 2.5, "output": 10 } }';

const parse = (text: string): Json => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    throw new Error(`is not JSON (${error instanceof Error ? error.message : 'unreadable'})`, { cause: error });
  }
};

const isPrice = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const priceIn = (pattern: string, value: Json): ModelPrice => {
  const shown = JSON.stringify(pattern.slice(0, MAX_PATTERN));
  if (pattern === '' || pattern.length > MAX_PATTERN)
    throw new Error(`has the pattern ${shown}: use 1 to ${MAX_PATTERN} characters`);
  if (!isJsonObject(value) || !isPrice(value['input']) || !isPrice(value['output']))
    throw new Error(`has no prices for ${shown}: "input" and "output" must be numbers, 0 or more`);
  const unknown = Object.keys(value).find((name) => name !== 'input' && name !== 'output');
  if (unknown !== undefined)
    throw new Error(`has ${JSON.stringify(unknown.slice(0, 50))} for ${shown}: not a known field`);
  return { input: value['input'], output: value['output'] };
};

/** True if a name consists of the parts of a pattern between its `*`, in order. In time linear to the name. */
const matches = (parts: readonly string[], name: string): boolean => {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
};

/**
 * Reads a price file: `{ "<pattern>": { "input": 2.5, "output": 10 } }`, prices for a million tokens. `*` in a pattern
 * stands for any characters. Of several patterns, the one with the most other characters holds.
 * @throws Error that says what is wrong
 */
export const readModelPrices = (text: string): ModelPrices => {
  const file = parse(text);
  if (!isJsonObject(file)) throw new Error(`is not a JSON object such as ${EXAMPLE}`);
  const entries = Object.entries(file);
  if (entries.length > MAX_PATTERNS) throw new Error(`has more than ${MAX_PATTERNS} patterns`);
  const rows = entries
    .map(([pattern, value]) => ({ pattern, parts: pattern.split('*'), price: priceIn(pattern, value) }))
    .map((row) => ({ ...row, rank: row.parts.length === 1 ? Infinity : row.parts.join('').length }))
    .sort((one, other) => other.rank - one.rank);
  const rowOf = (model: string) => rows.find(({ parts }) => matches(parts, model));
  return {
    patternOf: (model) => rowOf(model)?.pattern,
    priceOf: (model) => rowOf(model)?.price,
  };
};

/** Reads the current text of the file whenever it has changed. @param textNow empty: there is no file */
export const currentPrices = (textNow: () => string): (() => ModelPrices | undefined) => {
  let known: { readonly text: string; readonly prices: ModelPrices } | undefined;
  return () => {
    const text = textNow();
    if (text === '') return undefined;
    if (known?.text !== text) known = { text, prices: readModelPrices(text) };
    return known.prices;
  };
};
