import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { root } from './services';

/** Folder of the manifests. */
export const MANIFESTS = join(root, 'deploy', 'k8s');

export const OVERLAYS = ['local', 'production'] as const;

/** All components. */
export const COMPONENTS: readonly string[] = readdirSync(join(MANIFESTS, 'components'));

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

/**
 * The manifest of an overlay with components added, as kubectl applies it.
 * @param namespace name of the namespace that everything is in
 */
export const manifestWith = (overlay: string, components: readonly string[], namespace = 'weft'): string => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-kustomize-'));
  const pathOf = (...names: string[]): string => relative(folder, join(MANIFESTS, ...names));
  try {
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      stringify({
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        namespace,
        resources: [pathOf('overlays', overlay)],
        components: components.map((name) => pathOf('components', name)),
      }),
    );
    return kustomize(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The objects of an overlay with components added. */
export const renderWith = <Spec>(overlay: string, components: readonly string[]): Rendered<Spec>[] =>
  objectsOf(manifestWith(overlay, components));
