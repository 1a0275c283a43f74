import { isDeepStrictEqual } from 'node:util';
import { at, isList, isMap, listKeyOf, type Json, type JsonMap } from '../chart/json';
import { idOf } from '../chart/read-manifests';

/** Most differences that are listed. */
const MAX_LISTED = 20;

const differencesAt = (path: string, one: Json | undefined, other: Json | undefined): readonly string[] => {
  if (isDeepStrictEqual(one, other)) return [];
  if (isMap(one) && isMap(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      differencesAt(`${path}.${key}`, one[key], other[key]),
    );
  if (isList(one) && isList(other)) {
    const key = listKeyOf(one);
    // Kubernetes merges such lists by their keys: the order has no meaning.
    if (key !== undefined && key === listKeyOf(other)) {
      const byKey = (items: readonly Json[]): JsonMap =>
        Object.fromEntries(items.map((item) => [String(at(item, key)), item]));
      return differencesAt(path, byKey(one), byKey(other));
    }
    if (one.length === other.length) return one.flatMap((item, i) => differencesAt(`${path}[${i}]`, item, other[i]));
  }
  return [
    `${path}: ${JSON.stringify(one) ?? 'absent'} in the manifests, ${JSON.stringify(other) ?? 'absent'} in the chart`,
  ];
};

const withoutKey = (map: JsonMap, key: string): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));

/** Removes the hash in the pods, which the chart has where Kustomize has hashes in the names of config maps. */
const withoutChecksum = (object: JsonMap): JsonMap => {
  const spec = object['spec'];
  const template = at(spec, 'template');
  const metadata = at(template, 'metadata');
  const annotations = at(metadata, 'annotations');
  if (!isMap(spec) || !isMap(template) || !isMap(metadata) || !isMap(annotations)) return object;
  if (annotations['checksum/config'] === undefined) return object;
  const others = withoutKey(annotations, 'checksum/config');
  const kept = withoutKey(metadata, 'annotations');
  const changed = Object.keys(others).length === 0 ? kept : { ...kept, annotations: others };
  return { ...object, spec: { ...spec, template: { ...template, metadata: changed } } };
};

/**
 * Compares objects with those of the chart, one by one. Two things differ by design: where Kustomize puts a hash of a
 * config map into its name, the chart puts one into the pods; and a chart has no Namespace.
 * @returns a sentence for each difference
 */
export const compareObjects = (manifests: readonly JsonMap[], chart: readonly JsonMap[]): readonly string[] => {
  const expected = new Map(manifests.filter(({ kind }) => kind !== 'Namespace').map((one) => [idOf(one), one]));
  const made = new Map(chart.map((one) => [idOf(one), withoutChecksum(one)]));
  const twice = chart.map(idOf).filter((id, index, ids) => ids.indexOf(id) !== index);
  const differences = [
    ...twice.map((id) => `${id} is twice in the chart`),
    ...[...new Set([...expected.keys(), ...made.keys()])].flatMap((id) => {
      const [one, other] = [expected.get(id), made.get(id)];
      if (one === undefined) return [`${id} is only in the chart`];
      if (other === undefined) return [`${id} is only in the manifests`];
      return differencesAt(id, one, other);
    }),
  ];
  const more = differences.length - MAX_LISTED;
  return more > 0 ? [...differences.slice(0, MAX_LISTED), `and ${more} more differences`] : differences;
};
