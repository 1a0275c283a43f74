import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtOnce, findPlaces, type Recipe, type Report, runCommand } from '@weft/local-stack';
import { prepareGo } from '../cluster/run-go';

const FILES = ['go.mod', 'main.go'] as const;
const PROGRAM = 'kstatus';

/** @param source folder with the module of the program */
const kstatusRecipe = (cache: string, source: string, report: Report): Recipe => ({
  name: 'kstatus',
  inputs: Object.fromEntries(FILES.map((file) => [file, readFileSync(join(source, file), 'utf8')])),
  build: async (folder) => {
    const module = join(folder, 'source');
    const { go } = await prepareGo(cache, module);
    report('building kstatus with Go (about a minute)');
    mkdirSync(module);
    for (const file of FILES) copyFileSync(join(source, file), join(module, file));
    await go('build', '-o', join(folder, PROGRAM), '.');
    rmSync(module, { recursive: true });
  },
});

/**
 * Judges objects as Flux does while it waits for them. The program is built first where the cache has none.
 * @returns a status for each object: `Current`, `InProgress`, `Failed` or `Terminating`
 */
export const runKstatus = async (objects: readonly object[], report: Report): Promise<readonly string[]> => {
  const { cache, checkout } = findPlaces(process.env);
  const source = join(checkout, 'packages/kubernetes-check/go/kstatus');
  const folder = await builtOnce(cache, kstatusRecipe(cache, source, report), report);
  const output = await runCommand(join(folder, PROGRAM), [], { input: JSON.stringify(objects) });
  return output.trim().split('\n');
};
