import { findPlaces, runAsCommand, StackError, startStack } from '@weft/local-stack';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ask, hashOf, lineOf } from './ask-service';
import { checkClients, GENERATORS } from './generated-clients';
import { makeDeliveries } from './kept-calls';

const ROOT = join(__dirname, '..', '..', '..', '..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');

const REDOCLY = '@redocly/cli@2.77.0';

/** Runs a program to its end and shows its output. @throws StackError unless it ends with 0 */
const run = (program: string, args: readonly string[], folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: 'inherit' });
    child.on('error', (error) => reject(new StackError(`${program} cannot be run: ${error.message}`)));
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new StackError(`${program} ${args[0] ?? ''} ended with ${code}`)),
    );
  });

/** Maximum bytes of the client in the bundle of a page, compressed. */
const MAX_CLIENT_BYTES = 5 * 1024;

/** The committed types of @weft/client are those of the document, and the package works as ES modules. */
const checkClient = async (folder: string): Promise<void> => {
  const client = join(ROOT, 'packages/client');
  await run('node', [join(client, 'bin/generate.mjs'), folder], folder);
  for (const name of ['types.gen.ts', 'operations.gen.ts'])
    if (readFileSync(join(folder, name), 'utf8') !== readFileSync(join(client, 'src/api', name), 'utf8'))
      throw new StackError(`packages/client/src/api/${name} is stale: run npm run client:gen`);
  await run('npm', ['run', '-s', 'build:esm'], client);
  const { outputFiles } = await build({
    entryPoints: [join(client, 'dist/esm/index.js')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const bytes = gzipSync(Buffer.concat(outputFiles.map(({ contents }) => contents))).length;
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

/** The generators named by `--clients=NAME,…`; all by default. @throws StackError for an unknown name */
const chosenGenerators = () => {
  const names = option('clients')?.split(',');
  const known = GENERATORS.map(({ name }) => name);
  const unknown = names?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0) throw new StackError(`--clients: ${unknown.join()} is unknown; known: ${known.join(', ')}`);
  return GENERATORS.filter(({ name }) => names?.includes(name) ?? true);
};

/** Lints the document, and makes clients of it and compiles them. @returns generators that could not be run */
const checkDocument = async (report: (line: string) => void): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-openapi-'));
  try {
    report('linting docs/openapi.json');
    await run('npx', ['--yes', REDOCLY, 'lint', DOCUMENT], folder);
    report('checking @weft/client');
    await checkClient(folder);
    const { cache } = findPlaces(process.env);
    const skipped = await checkClients(chosenGenerators(), { document: DOCUMENT, folder, cache, report });
    const generator = option('oapi-codegen');
    if (generator !== undefined) {
      report('oapi-codegen: generating and compiling a client');
      await checkGo(generator, folder);
    }
    return skipped;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * `npm run check:openapi -- [--clients=NAME,…] [--schemathesis=PATH] [--oapi-codegen=PATH] [--examples=N]
 * [--results=FOLDER] [--operations=NAME,…]`: lints the document, generates and compiles clients, and tests a stack with
 * everything that the document allows and forbids. With names of operations it only tests these. Fails if a generator
 * could not be run.
 */
runAsCommand(async ({ report }) => {
  const skipped = option('operations') === undefined ? await checkDocument(report) : [];
  if (skipped.length > 0) report(`not checked: ${skipped.join(', ')}`);
  const schemathesis = option('schemathesis');
  if (schemathesis === undefined) {
    report('no --schemathesis=PATH: the running service was not asked');
    return skipped.length === 0 ? 0 : 1;
  }
  const failed = await checkService(schemathesis, report);
  if (failed.length > 0) report(`not as documented: ${failed.join(', ')}`);
  return failed.length + skipped.length === 0 ? 0 : 1;
});
