import { isJsonObject, type Json } from '@weft/service-kit/json-values';

/** Maximum size of an app file in bytes. */
export const MAX_APP_BYTES = 512 * 1024;
/** Maximum nesting of an app file. */
export const MAX_DEPTH = 20;
/** Maximum number of values of an app file with its references resolved. */
export const MAX_VALUES = 100_000;

/** One step of a path into a document: the name of a field, or the index of an entry. */
export type Step = string | number;

/** A path as text: `kinds.slack.operations["message.post"].refuse[0]`. */
export const pathText = (path: readonly Step[]): string =>
  path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w$-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');

/** The value at a path; undefined where the path leads to nothing. */
export function valueAt(value: Json, path: readonly Step[]): Json | undefined {
  let current: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else current = isJsonObject(current) && Object.hasOwn(current, step) ? current[String(step)] : undefined;
  }
  return current;
}
