import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Recipe, Report } from '@weft/local-stack';
import { prepareGo } from './run-go';

/** Folder with the definitions, in the folder that the recipe fills. */
export const DEFINITIONS = 'definitions';

const FILES = ['go.mod', 'types.go'] as const;

/**
 * Recipe of the definitions of custom resources (Prometheus operator, KEDA, cert-manager, Gateway API, External
 * Secrets), generated from their Go types as their projects generate them.
 * @param source folder with `go.mod` and with `types.go`, which imports the types
 */
export const customResourcesRecipe = (cache: string, source: string, report: Report): Recipe => ({
  name: 'custom-resources',
  inputs: Object.fromEntries(FILES.map((file) => [file, readFileSync(join(source, file), 'utf8')])),
  build: async (folder) => {
    const module = join(folder, 'source');
    const { go, run } = await prepareGo(cache, module);
    report('generating the definitions of custom resources (about a minute)');
    mkdirSync(module);
    for (const file of FILES) copyFileSync(join(source, file), join(module, file));
    await go('build', '-o', 'controller-gen', 'sigs.k8s.io/controller-tools/cmd/controller-gen');
    const imported = [...readFileSync(join(source, 'types.go'), 'utf8').matchAll(/_ "(.*\/apis\/.*)"/g)];
    const paths = imported.map(([, path = '']) => `paths=${path}`);
    await run(join(module, 'controller-gen'), 'crd', ...paths, `output:crd:dir=${join(folder, DEFINITIONS)}`);
    rmSync(module, { recursive: true });
  },
});
