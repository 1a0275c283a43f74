/** Any value that JSON can represent. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An own field: names come from clients, and `constructor` is one of them. */
export const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const textOf = (value: Json | undefined, name: string): string | undefined => {
  const found = fieldOf(value, name);
  return typeof found === 'string' ? found : undefined;
};
