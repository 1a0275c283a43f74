import { certificateVariables, findGo, runCommand, StackError } from '@weft/local-stack';

const BUILD_LIMIT_MS = 60 * 60_000;

/** Runs a command in a folder with the settings of Go; resolves to its output. */
export type GoRunner = (...command: readonly [string, ...string[]]) => Promise<string>;

/**
 * Finds Go and prepares it to build a module of this repository from the module proxy.
 * @param folder current folder of its commands, with the module
 * @throws StackError where there is no Go
 */
export async function prepareGo(cache: string, folder: string): Promise<{ go: GoRunner; run: GoRunner }> {
  const program = await findGo();
  if (program === undefined) throw new StackError('Install Go 1.25 or newer: the control plane is built with it.');
  const env = {
    ...process.env,
    ...certificateVariables(cache, process.env),
    CGO_ENABLED: '0',
    GOFLAGS: '-mod=mod -buildvcs=false -trimpath',
    GOTOOLCHAIN: 'local',
  };
  const run: GoRunner = (command, ...args) => runCommand(command, args, { cwd: folder, limitMs: BUILD_LIMIT_MS, env });
  return { go: (...args) => run(program, ...args), run };
}
