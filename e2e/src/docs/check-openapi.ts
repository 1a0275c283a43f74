import { runAsCommand, StackError, startStack } from '@weft/local-stack';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ask, hashOf, lineOf } from './ask-service';
import { makeDeliveries } from './kept-calls';

const ROOT = join(__dirname, '..', '..', '..', '..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');

const REDOCLY = '@redocly/cli@2.77.0';
const OPENAPI_TYPESCRIPT = 'openapi-typescript@7.13.0';
/** TypeScript version that the generator of types supports. */
const TYPESCRIPT = 'typescript@5.9.3';

/** Runs a program to its end and shows its output. @throws StackError unless it ends with 0 */
const run = (program: string, args: readonly string[], folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: 'inherit' });
    child.on('error', (error) => reject(new StackError(`${program} cannot be run: ${error.message}`)));
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new StackError(`${program} ${args[0] ?? ''} ended with ${code}`)),
    );
  });

/** A client in TypeScript. It compiles; access to a field that does not exist does not. */
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

/** Maximum bytes of the client for browsers, compressed. */
const MAX_CLIENT_BYTES = 5 * 1024;

/** The committed types of @weft/client are those of the document, and the package works as ES modules. */
const checkClient = async (folder: string): Promise<void> => {
  const client = join(ROOT, 'packages/client');
  await run('node', [join(client, 'bin/generate.mjs'), folder], folder);
  for (const name of ['types.gen.ts', 'operations.gen.ts'])
    if (readFileSync(join(folder, name), 'utf8') !== readFileSync(join(client, 'src/api', name), 'utf8'))
      throw new StackError(`packages/client/src/api/${name} is stale: run npm run client:gen`);
  await run('npm', ['run', '-s', 'build:esm'], client);
  const modules = ['index.js', 'weft.js', 'weft-error.js', 'api/operations.gen.js'].map((name) =>
    readFileSync(join(client, 'dist/esm', name)),
  );
  const bytes = gzipSync(Buffer.concat(modules)).length;
  if (bytes > MAX_CLIENT_BYTES) throw new StackError(`@weft/client has ${bytes} bytes, more than ${MAX_CLIENT_BYTES}`);
  const using = "import { createWeft } from './index.js'; if (typeof createWeft !== 'function') process.exit(1);";
  await run('node', ['--input-type=module', '-e', using], join(client, 'dist/esm'));
};

/** A client in Go, if the generator is named. */
const checkGo = async (generator: string, folder: string): Promise<void> => {
  const made = join(folder, 'client.gen.go');
  await run(generator, ['-generate', 'types,client', '-package', 'weft', '-o', made, DOCUMENT], folder);
  await run('go', ['mod', 'init', 'weft.invalid/client'], folder);
  await run('go', ['mod', 'tidy'], folder);
  await run('go', ['build', './...'], folder);
};

/** Operations with which a run that learns ids from responses would delete its own key or lock its own user. */
const LOCKS_OUT = ['deleteApiKey', 'deleteUserApiKey', 'deleteUser', 'lockUser', 'changeUserRole'];

/** Name of the part in which one answer leads to the next request. */
const SEQUENCES = 'sequences';

/** The value of `--name=value` on the command line. */
const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);

/** The fields of the document that the check reads. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The parts to test, each with the hash of its documentation: operations that only read first, since lists grow. */
const partsOf = ({ paths, components }: Document): ReadonlyMap<string, string> => {
  const all = Object.values(paths).flatMap((methods) => Object.entries(methods));
  const isReading = ([method]: readonly [string, unknown]): boolean => method === 'get';
  return new Map([
    ...[...all.filter(isReading), ...all.filter((each) => !isReading(each))].map(
      ([, operation]) => [operation.operationId, hashOf(components, operation)] as const,
    ),
    [SEQUENCES, hashOf(components, paths)],
  ]);
};

/** Tests every operation on a separate stack, then sequences of them. @returns the parts that were not clean */
const checkService = async (schemathesis: string, report: (line: string) => void): Promise<readonly string[]> => {
  const parts = partsOf(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
  const wanted = option('operations')?.split(',') ?? [...parts.keys()];
  // Users sign in with passwords to make keys that other tests may delete.
  const basic = { BASIC_AUTH: 'on' };
  const stack = await startStack({
    env: { credentials: { RATE_LIMIT_PER_MINUTE: '0', ...basic }, gateway: basic },
  });
  try {
    const questions = {
      schemathesis,
      settings: join(ROOT, 'e2e/schemathesis'),
      url: `${stack.baseUrls[0] ?? ''}/api/v1/openapi.json`,
      apiKey: stack.apiKey,
      deliveries: await makeDeliveries(stack),
      examples: Number(option('examples') ?? '100'),
      results: option('results') ?? mkdtempSync(join(tmpdir(), 'weft-openapi-results-')),
    };
    report(`results are in ${questions.results}`);
    const failed: string[] = [];
    for (const name of wanted) {
      const args =
        name === SEQUENCES
          ? ['--phases', 'stateful', ...LOCKS_OUT.flatMap((each) => ['--exclude-operation-id', each])]
          : ['--phases', 'examples,coverage,fuzzing', '--include-operation-id', name];
      const result = await ask(questions, name, parts.get(name) ?? '', args);
      report(lineOf(result));
      if (!result.isClean) failed.push(name);
    }
    return failed;
  } finally {
    await stack.stop();
  }
};

/** Lints the document, and makes clients of it and compiles them. */
const checkDocument = async (report: (line: string) => void): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-openapi-'));
  try {
    report('linting docs/openapi.json');
    await run('npx', ['--yes', REDOCLY, 'lint', DOCUMENT], folder);
    report('making and compiling a client in TypeScript');
    await checkClient(folder);
    await checkTypes(folder);
    const generator = option('oapi-codegen');
    if (generator !== undefined) {
      report('making and compiling a client in Go');
      await checkGo(generator, folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * `npm run check:openapi -- [--schemathesis=PATH] [--oapi-codegen=PATH] [--examples=N] [--results=FOLDER]
 * [--operations=NAME,…]`: lints the document, generates and compiles clients, and tests a stack with everything that
 * the document allows and forbids. With names of operations it only tests these.
 */
runAsCommand(async ({ report }) => {
  if (option('operations') === undefined) await checkDocument(report);
  const schemathesis = option('schemathesis');
  if (schemathesis === undefined) {
    report('no --schemathesis=PATH: the running service was not asked');
    return 0;
  }
  const failed = await checkService(schemathesis, report);
  if (failed.length > 0) report(`not as documented: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
});
