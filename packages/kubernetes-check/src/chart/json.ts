/** A value of a manifest. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A map of a manifest. */
export type JsonMap = Readonly<Record<string, Json>>;

/** A value without parts. */
export type Scalar = null | boolean | number | string;

export const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** The value at a path of keys, or undefined. */
export const at = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (isMap(inner) ? inner[key] : undefined), value);

/** The string at a path, or an empty one. */
export const textAt = (value: Json | undefined, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

/**
 * Parsed objects as values of manifests, without empty documents.
 * @param change makes another value of each part, inner parts first
 */
export const toJsonMaps = (
  objects: readonly unknown[],
  change?: (key: string, value: Json) => Json,
): readonly JsonMap[] => {
  const copied: readonly (JsonMap | null)[] = JSON.parse(JSON.stringify(objects), change);
  return copied.filter((object) => object !== null);
};

/** Keys by which items of lists of Kubernetes are told apart, in the order in which they are tried. */
const LIST_KEYS = ['mountPath', 'name', 'containerPort'] as const;

/** The key that tells the items of a list apart, if there is one. */
export const listKeyOf = (items: readonly Json[]): string | undefined =>
  items.length === 0
    ? undefined
    : LIST_KEYS.find((key) => {
        const ids = items.map((item) => at(item, key));
        return ids.every((id) => id !== undefined) && new Set(ids).size === items.length;
      });
