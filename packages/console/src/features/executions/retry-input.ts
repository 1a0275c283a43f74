import { isRecord, type JsonRecord } from '../../ui/values/json';

/** Outcome of reading the items of a start node. */
export type ReadItems =
  | { readonly isValid: true; readonly items: readonly { readonly json: JsonRecord }[] }
  | { readonly isValid: false; readonly why: string };

/** Reads the data of items from a JSON array of objects. */
export const readItems = (text: string): ReadItems => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { isValid: false, why: `Must be JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.` };
  }
  if (!Array.isArray(value) || !value.every(isRecord))
    return { isValid: false, why: 'Must be an array of objects, one for each item.' };
  return { isValid: true, items: value.map((json) => ({ json })) };
};
