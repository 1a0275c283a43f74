import type { Json } from '@weft/node-catalogue';

/** The same text for equal values, whatever the order of fields; different ones for different values. */
export function stableText(value: Json | undefined): string {
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`);
  return `{${fields.join(',')}}`;
}
