import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe, Report } from '@weft/local-stack';
import { prepareGo } from './run-go';

/** Release of Kubernetes whose API server checks the manifests. */
const KUBERNETES = '1.36.3';

/** Name of the program in the folder that the recipe fills; its first argument chooses the part. */
export const CONTROL_PLANE = 'control-plane';

/**
 * Recipe of the control plane: etcd, API server, controllers and scheduler of Kubernetes built from their Go modules.
 * It takes about ten minutes of CPU, once per machine. It fails where there is no Go.
 * @param source folder with the program's `main.go`.
 */
export const controlPlaneRecipe = (cache: string, source: string, report: Report): Recipe => ({
  name: 'kubernetes',
  inputs: { kubernetes: KUBERNETES, program: readFileSync(join(source, 'main.go'), 'utf8') },
  build: async (folder) => {
    const module = join(folder, 'source');
    const { go } = await prepareGo(cache, module);
    report(`building the control plane of Kubernetes ${KUBERNETES} with Go (about ten minutes of CPU)`);
    mkdirSync(module);
    writeFileSync(join(module, 'go.mod'), 'module control-plane\n');
    const theirs = await go('list', '-m', '-f', '{{.GoMod}}', `k8s.io/kubernetes@v${KUBERNETES}`);
    writeFileSync(join(module, 'go.mod'), moduleFile(readFileSync(theirs.trim(), 'utf8')));
    copyFileSync(join(source, 'main.go'), join(module, 'main.go'));
    await go('mod', 'tidy', '-e');
    await go('build', '-ldflags', linkerFlags(), '-o', join(folder, CONTROL_PLANE), '.');
    rmSync(module, { recursive: true });
  },
});

/**
 * The go.mod of the program. Kubernetes replaces its staging modules by folders of its repository; a program that
 * imports it must replace them by their releases, which are numbered v0.X.Y where Kubernetes is v1.X.Y.
 * @param theirs text of the go.mod of k8s.io/kubernetes.
 */
const moduleFile = (theirs: string): string => {
  const version = /^go (\S+)$/m.exec(theirs)?.[1] ?? '';
  const staged = [...theirs.matchAll(/^\t(k8s\.io\/[a-z0-9-]+) => \.\/staging\//gm)].map(([, name = '']) => name);
  const release = `v0.${KUBERNETES.slice(KUBERNETES.indexOf('.') + 1)}`;
  return [
    'module control-plane',
    `go ${version}`,
    `require k8s.io/kubernetes v${KUBERNETES}`,
    ...staged.map((name) => `replace ${name} => ${name} ${release}`),
    '',
  ].join('\n');
};

/** Without its version the API server would call itself v0.0.0, and refuse what its real release accepts. */
const linkerFlags = (): string => {
  const [major, minor] = KUBERNETES.split('.');
  const values = { gitVersion: `v${KUBERNETES}`, gitMajor: major, gitMinor: minor };
  const settings = Object.entries(values).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return ['-s', '-w', ...settings].join(' ');
};
