import { NEEDED, renderBase } from '@weft/e2e/rendered';
import { addLayer, isThere, treeOf, type Tree, type When } from './annotated-tree';
import { textAt, toJsonMaps, type JsonMap } from './json';
import { LAYERS } from './layers';

/** An object of the manifests with the layers under which it is there. */
export interface AnnotatedObject {
  /** Such as `Deployment/weft-gateway`. */
  readonly id: string;
  readonly when: When;
  readonly tree: Tree;
  /** Component whose folder has the object, or the value of its label for those of the base: the file of the chart. */
  readonly file: string;
}

/** A hash has no letters that could form words. */
const HASHED = /^(.*)-[2456789bcdfghkmt]{10}$/;

/** Kustomize appends a hash of the contents to the names of its config maps, here removed. */
export const withoutHashes = (objects: readonly JsonMap[]): readonly JsonMap[] => {
  const names = new Map<string, string>();
  for (const object of objects) {
    const name = textAt(object, 'metadata', 'name');
    const [, plain] = (object['kind'] === 'ConfigMap' && HASHED.exec(name)) || [];
    if (plain !== undefined) names.set(name, plain);
  }
  return toJsonMaps(objects, (_, value) => (typeof value === 'string' ? (names.get(value) ?? value) : value));
};

/** Identifies an object within a namespace. */
export const idOf = (object: JsonMap): string => `${textAt(object, 'kind')}/${textAt(object, 'metadata', 'name')}`;

/** The objects of the base with components, by their ids. */
export const readBase = (components: readonly string[], namespace: string): ReadonlyMap<string, JsonMap> =>
  new Map(withoutHashes(toJsonMaps(renderBase(components, namespace))).map((object) => [idOf(object), object]));

/** Builds the base and each component, and merges them into objects whose parts name the components they depend on. */
export const readManifests = (namespace: string): readonly AnnotatedObject[] => {
  const builds = new Map<string, ReadonlyMap<string, JsonMap>>();
  const read = (components: readonly string[]): ReadonlyMap<string, JsonMap> => {
    const build = builds.get(components.join()) ?? readBase(components, namespace);
    builds.set(components.join(), build);
    return build;
  };
  const objects: AnnotatedObject[] = [];
  for (const [id, object] of read([])) {
    const file = textAt(object, 'metadata', 'labels', 'app.kubernetes.io/component') || 'config';
    objects.push({ id, when: {}, tree: treeOf(object), file });
  }
  for (const { component: layer } of LAYERS) {
    // A layer is read on top of the components that it needs.
    const names = NEEDED[layer] ?? [];
    const below = new Set(names);
    const without = read(names);
    for (const [id, object] of read([...names, layer])) {
      const known = objects.find((one) => one.id === id && isThere(one.when, below));
      if (known !== undefined && without.has(id)) addLayer(known.tree, object, { layer, below });
      else objects.push({ id, when: { [layer]: true }, tree: treeOf(object), file: layer });
    }
  }
  return objects;
};
