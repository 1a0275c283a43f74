import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { root } from './services';

/** Folder of the manifests. */
export const MANIFESTS = join(root, 'deploy', 'k8s');

export const OVERLAYS = ['local', 'small', 'production'] as const;

const isReplacement = (name: string): boolean => name.endsWith('-replacements');

/** All components but those that follow the namespace: these are used above the kustomization that sets it. */
export const COMPONENTS: readonly string[] = readdirSync(join(MANIFESTS, 'components')).filter(
  (name) => !isReplacement(name),
);

/** Components that only fit together with others, in the order in which a kustomization lists them. */
export const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'nats-security': ['nats-cluster'],
  small: ['mongodb-single', 'nats-single'],
};

/** True if this machine has kubectl, which includes kustomize. */
export const HAS_KUBECTL = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

/** Fields that all objects have. @typeParam Spec the part that a test looks at */
export interface Rendered<Spec = unknown> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: Spec;
}

/** Parses the documents of a manifest. */
export const objectsOf = <Spec>(text: string): Rendered<Spec>[] =>
  parseAllDocuments(text).map((document): Rendered<Spec> => document.toJS());

const kustomize = (folder: string): string =>
  execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** The objects of a folder with a kustomization. */
export const render = <Spec>(folder: string): Rendered<Spec>[] => objectsOf(kustomize(folder));

/** Components that follow the namespace which a kustomization below has set. */
const replacementsFor = (components: readonly string[]): readonly string[] =>
  ['autoscaling', 'monitoring'].filter((name) => components.includes(name)).map((name) => `${name}-replacements`);

/** Builds a kustomization of a folder of the manifests and components. */
const build = (resource: string, components: readonly string[], namespace: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-kustomize-'));
  const inner = join(folder, 'instance');
  const write = (at: string, content: object): void => {
    const head = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'kustomization.yaml'), stringify({ ...head, ...content }));
  };
  const pathsFrom = (at: string, names: readonly string[]): readonly string[] =>
    names.map((name) => relative(at, join(MANIFESTS, 'components', name)));
  try {
    write(inner, {
      namespace,
      resources: [relative(inner, join(MANIFESTS, resource))],
      components: pathsFrom(inner, components),
    });
    write(folder, { resources: ['instance'], components: pathsFrom(folder, replacementsFor(components)) });
    return kustomize(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/**
 * The manifest of an overlay with components added, as kubectl applies it.
 * @param namespace name of the namespace that everything is in
 */
export const manifestWith = (overlay: string, components: readonly string[], namespace = 'weft'): string =>
  build(join('overlays', overlay), components, namespace);

/** The objects of an overlay with components added. */
export const renderWith = <Spec>(overlay: string, components: readonly string[]): Rendered<Spec>[] =>
  objectsOf(manifestWith(overlay, components));

/** The objects of the base with components, without an overlay. */
export const renderBase = <Spec>(components: readonly string[], namespace = 'weft'): Rendered<Spec>[] =>
  objectsOf(build('base', components, namespace));
