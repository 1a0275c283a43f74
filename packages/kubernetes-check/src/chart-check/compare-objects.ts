import { at, isList, isMap, isSame, listKeyOf, textAt, type Json, type JsonMap } from '../chart/json';
import { idOf } from '../chart/read-manifests';

/** Most differences that are listed. */
const MAX_LISTED = 20;

const differencesAt = (path: string, one: Json | undefined, other: Json | undefined): readonly string[] => {
  if (isSame(one, other)) return [];
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

/** The hash in the pods that replaces the hashes in the names of Kustomize's config maps. */
const withoutChecksum = (object: JsonMap): JsonMap => {
  const template = at(object, 'spec', 'template');
  const annotations = at(template, 'metadata', 'annotations');
  if (!isMap(annotations) || !isMap(template)) return object;
  const { 'checksum/config': checksum, ...others } = annotations;
  if (checksum === undefined) return object;
  const metadata = { ...Object(at(template, 'metadata')) };
  delete metadata.annotations;
  if (Object.keys(others).length > 0) metadata.annotations = others;
  return { ...object, spec: { ...Object(object['spec']), template: { ...template, metadata } } };
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

/** The image of every container of an object. */
export const imagesOf = (object: JsonMap): readonly string[] => {
  const found: string[] = [];
  const look = (value: Json): void => {
    if (isList(value)) value.forEach(look);
    else if (isMap(value)) {
      const image = textAt(value, 'image');
      if (image !== '') found.push(image);
      Object.values(value).forEach(look);
    }
  };
  look(object);
  return found;
};
