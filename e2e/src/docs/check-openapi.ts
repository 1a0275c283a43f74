import { runAsCommand, StackError, startStack } from '@weft/local-stack';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..', '..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');

const REDOCLY = '@redocly/cli@2.77.0';
const OPENAPI_TYPESCRIPT = 'openapi-typescript@7.13.0';
/** The generator of types works with this one. */
const TYPESCRIPT = 'typescript@5.9.3';

/** Runs a program to its end, and shows what it says. @throws StackError unless it ends with 0 */
const run = (program: string, args: readonly string[], folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: 'inherit' });
    child.on('error', (error) => reject(new StackError(`${program} cannot be run: ${error.message}`)));
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new StackError(`${program} ${args[0] ?? ''} ended with ${code}`)),
    );
  });

/** A client in TypeScript: it compiles, and a field that does not exist does not. */
const CLIENT = `import type { operations } from './api';
type Workflow = operations['getWorkflow']['responses'][200]['content']['application/json']['data'];
export const nameOf = (workflow: Workflow): string => workflow.name;
// @ts-expect-error: no credential shows its data
export type Data = operations['getCredential']['responses'][200]['content']['application/json']['data']['data'];
`;

const checkTypes = async (folder: string): Promise<void> => {
  await run(
    'npx',
    [
      '--yes',
      '--package',
      OPENAPI_TYPESCRIPT,
      '--package',
      TYPESCRIPT,
      'openapi-typescript',
      DOCUMENT,
      '-o',
      'api.d.ts',
    ],
    folder,
  );
  writeFileSync(join(folder, 'client.ts'), CLIENT);
  await run(
    'npx',
    ['--yes', '--package', TYPESCRIPT, 'tsc', '--noEmit', '--strict', '--skipLibCheck', 'false', 'client.ts'],
    folder,
  );
};

/** A client in Go, if the program that makes it is named. */
const checkGo = async (generator: string, folder: string): Promise<void> => {
  const made = join(folder, 'client.gen.go');
  await run(generator, ['-generate', 'types,client', '-package', 'weft', '-o', made, DOCUMENT], folder);
  await run('go', ['mod', 'init', 'weft.invalid/client'], folder);
  await run('go', ['mod', 'tidy'], folder);
  await run('go', ['build', './...'], folder);
};

/** Operations by which a run that knows ids from answers deletes its own key, or locks its own user. */
const LOCKS_OUT = ['deleteApiKey', 'deleteUserApiKey', 'deleteUser', 'lockUser', 'changeUserRole'];

/** The value of `--name=value` on the command line. */
const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

/**
 * `npm run check:openapi -- [--schemathesis=PATH] [--oapi-codegen=PATH] [--examples=N]`: lints the document, makes
 * clients of it and compiles them, and asks a stack everything that the document allows and forbids.
 */
runAsCommand(async ({ report }) => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-openapi-'));
  try {
    report('linting docs/openapi.json');
    await run('npx', ['--yes', REDOCLY, 'lint', DOCUMENT], folder);
    report('making and compiling a client in TypeScript');
    await checkTypes(folder);
    const generator = option('oapi-codegen');
    if (generator !== undefined) {
      report('making and compiling a client in Go');
      await checkGo(generator, folder);
    }
    const schemathesis = option('schemathesis');
    if (schemathesis === undefined) {
      report('no --schemathesis=PATH: the running service was not asked');
      return 0;
    }
    report('starting a stack');
    const stack = await startStack({ env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' } } });
    try {
      const url = `${stack.baseUrls[0] ?? ''}/api/v1/openapi.json`;
      const key = `X-SVC-API-KEY: ${stack.apiKey}`;
      const config = join(ROOT, 'e2e/schemathesis.toml');
      const examples = option('examples') ?? '100';
      const ask = (...operations: readonly string[]): Promise<void> =>
        run(
          schemathesis,
          [
            ...['--config-file', config, 'run', url, '-H', key, '-c', 'all', '-n', examples, '--continue-on-failure'],
            // The specification has no status 405: a method that a path does not answer is 404 with Allow.
            ...['--exclude-checks', 'unsupported_method'],
            ...operations,
          ],
          folder,
        );
      await ask(...LOCKS_OUT.flatMap((name) => ['--exclude-operation-id', name]));
      // By itself none of them learns an id that exists.
      await ask(...LOCKS_OUT.flatMap((name) => ['--include-operation-id', name]));
    } finally {
      await stack.stop();
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
