import { builtOnce, type Report, runCommand, StackError, tryCommand } from '@weft/local-stack';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OPENAPI_TYPESCRIPT = 'openapi-typescript@7.13.0';
const HEY_API = '@hey-api/openapi-ts@0.99.0';
/** TypeScript version that both generators support. */
const TYPESCRIPT = 'typescript@5.9.3';
const OPENAPI_GENERATOR = '7.25.0';
const MAVEN_COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy';
/** The second generator for Python, the type checker, and what the client of openapi-generator needs. */
const PYTHON_PACKAGES = [
  'openapi-python-client==0.29.1',
  'mypy==2.4.1',
  'types-python-dateutil==2.9.0.20261116',
  'pydantic==2.14.4',
  'urllib3==2.8.0',
  'python-dateutil==4.0.0',
];

/** Where and from what clients are generated. */
export interface ClientPlace {
  /** Path of the OpenAPI document. */
  readonly document: string;
  /** An empty folder for the client. */
  readonly folder: string;
  /** Generators that are no npm packages are kept here. */
  readonly cache: string;
  readonly report: Report;
}

/** A generator whose client must compile. */
export interface ClientGenerator {
  readonly name: string;
  /** Programs that must be on the PATH. */
  readonly needs: readonly string[];
  /** Generates and compiles a client. @throws Error if one of the two fails */
  readonly check: (place: ClientPlace) => Promise<void>;
}

const npx = (folder: string, packages: readonly string[], ...command: string[]): Promise<string> =>
  runCommand('npx', ['--yes', ...packages.flatMap((name) => ['--package', name]), ...command], { cwd: folder });

const compileTypes = (folder: string, ...options: string[]): Promise<string> =>
  npx(folder, [TYPESCRIPT], 'tsc', '--noEmit', '--strict', '--module', 'esnext', ...options, 'client.ts');

/** Reads why a run failed and where a node is, without a cast; access to a field that does not exist fails. */
const readsOf = (execution: string, workflow: string, credential: string): string => `
type Execution = ${execution};
type Workflow = ${workflow};
export const failure = ({ data }: Execution): string | undefined => data.resultData?.error?.message;
export const runs = ({ data }: Execution): readonly number[] =>
  (data.resultData?.runData?.['Set'] ?? []).map((run) => run.executionIndex);
export const place = ({ nodes }: Workflow): number | undefined => nodes[0]?.position?.[0];
export const links = ({ connections }: Workflow): string | undefined => connections?.['Set']?.['main']?.[0]?.[0]?.node;
// @ts-expect-error: no credential shows its data
export type Data = ${credential}['data'];
`;

const checkOpenapiTypescript = async ({ document, folder }: ClientPlace): Promise<void> => {
  await npx(folder, [OPENAPI_TYPESCRIPT, TYPESCRIPT], 'openapi-typescript', document, '-o', 'api.d.ts');
  const schema = (name: string): string => `components['schemas']['${name}']`;
  writeFileSync(
    join(folder, 'client.ts'),
    `import type { components } from './api';${readsOf(schema('Execution'), schema('Workflow'), schema('Credential'))}`,
  );
  await compileTypes(folder, '--skipLibCheck', 'false');
};

const checkHeyApi = async ({ document, folder }: ClientPlace): Promise<void> => {
  const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'];
  const args = ['openapi-ts', '--no-log-file', '-i', document, '-o', 'api', '-p', ...plugins];
  await npx(folder, [HEY_API, TYPESCRIPT], ...args);
  writeFileSync(
    join(folder, 'client.ts'),
    "import type * as api from './api/types.gen';\n" +
      "import { getExecution } from './api/sdk.gen';\n" +
      readsOf('api.Execution', 'api.Workflow', 'api.Credential') +
      'export const status = async (id: string): Promise<string | undefined> =>\n' +
      '  (await getExecution({ path: { id } })).data?.data.status;\n',
  );
  await compileTypes(folder, '--moduleResolution', 'bundler', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable');
};

const openapiGenerator = ({ cache, report }: ClientPlace): Promise<string> =>
  builtOnce(
    cache,
    {
      name: 'openapi-generator',
      inputs: { version: OPENAPI_GENERATOR, maven: MAVEN_COPY },
      build: async (folder) => {
        const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
        await runCommand('mvn', ['-q', '-B', MAVEN_COPY, artifact, `-DoutputDirectory=${folder}`], { cwd: folder });
      },
    },
    report,
  );

const generate = async (place: ClientPlace, language: string, options: readonly string[]): Promise<void> => {
  const jar = join(await openapiGenerator(place), `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
  await runCommand('java', ['-jar', jar, 'generate', '-i', place.document, '-o', '.', '-g', language, ...options], {
    cwd: place.folder,
  });
};

const GO_READS = `package main

import weft "weft.invalid/weft/client"

func main() {
	var execution weft.Execution
	var workflow weft.Workflow
	println(execution.Data.ResultData.GetError().Message, len(workflow.GetNodes()[0].GetPosition()))
}
`;

const checkGo = async (place: ClientPlace): Promise<void> => {
  const { folder } = place;
  const address = ['--git-host', 'weft.invalid', '--git-user-id', 'weft', '--git-repo-id', 'client'];
  await generate(place, 'go', ['--additional-properties=packageName=weft', ...address]);
  mkdirSync(join(folder, 'reads'));
  writeFileSync(join(folder, 'reads/main.go'), GO_READS);
  await runCommand('go', ['mod', 'tidy'], { cwd: folder });
  await runCommand('go', ['build', './...'], { cwd: folder });
};

const checkJava = async (place: ClientPlace): Promise<void> => {
  await generate(place, 'java', ['--library', 'native', '--additional-properties=groupId=weft,artifactId=client']);
  await runCommand('mvn', ['-q', '-B', '-DskipTests', 'compile'], { cwd: place.folder });
};

/** The programs of a virtual environment with the packages. Run scripts with `-m`: the environment was moved. */
const pythonWithPackages = async ({ cache, report }: ClientPlace): Promise<string> => {
  const recipe = {
    name: 'openapi-python',
    inputs: { packages: PYTHON_PACKAGES.join(' ') },
    build: async (folder: string) => {
      await runCommand('python3', ['-m', 'venv', folder]);
      await runCommand(join(folder, 'bin/python'), ['-m', 'pip', 'install', '-q', ...PYTHON_PACKAGES]);
    },
  };
  return join(await builtOnce(cache, recipe, report), 'bin');
};

const IMPORT_ALL = `import importlib, pkgutil, weft_client
for module in pkgutil.walk_packages(weft_client.__path__, 'weft_client.'):
    importlib.import_module(module.name)
`;

const PYTHON_READS = `from weft_client.models.execution import Execution

def failure(execution: Execution) -> str | None:
    result = execution.data.result_data
    return result.error.message if result and result.error else None
`;

const checkPython = async (bin: string, folder: string): Promise<void> => {
  const python = join(bin, 'python');
  await runCommand(python, ['-c', IMPORT_ALL], { cwd: folder });
  writeFileSync(join(folder, 'reads.py'), PYTHON_READS);
  await runCommand(python, ['-m', 'mypy', '--no-error-summary', 'weft_client', 'reads.py'], { cwd: folder });
};

const checkOpenapiGeneratorPython = async (place: ClientPlace): Promise<void> => {
  await generate(place, 'python', ['--additional-properties=packageName=weft_client']);
  await checkPython(await pythonWithPackages(place), place.folder);
};

const checkOpenapiPythonClient = async (place: ClientPlace): Promise<void> => {
  const { document, folder } = place;
  const bin = await pythonWithPackages(place);
  const args = ['generate', '--path', document, '--output-path', folder, '--overwrite', '--fail-on-warning'];
  // It formats its output with a program that it finds on the PATH.
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  await runCommand(join(bin, 'python'), ['-m', 'openapi_python_client', ...args], { env });
  await checkPython(bin, folder);
};

/** The generators, by name. */
export const GENERATORS: readonly ClientGenerator[] = [
  { name: 'openapi-typescript', needs: [], check: checkOpenapiTypescript },
  { name: 'hey-api', needs: [], check: checkHeyApi },
  { name: 'openapi-generator-go', needs: ['java', 'mvn', 'go'], check: checkGo },
  { name: 'openapi-generator-java', needs: ['java', 'mvn'], check: checkJava },
  { name: 'openapi-generator-python', needs: ['java', 'mvn', 'python3'], check: checkOpenapiGeneratorPython },
  { name: 'openapi-python-client', needs: ['python3'], check: checkOpenapiPythonClient },
];

const VERSION_OPTION: Readonly<Record<string, string>> = { go: 'version', java: '-version' };

const missingOf = async (programs: readonly string[]): Promise<readonly string[]> => {
  const found = await Promise.all(
    programs.map(async (program) => (await tryCommand(program, [VERSION_OPTION[program] ?? '--version'])).code === 0),
  );
  return programs.filter((_, index) => found[index] !== true);
};

/**
 * Generates and compiles a client with each generator.
 * @returns the names of the generators that could not be run because a program is missing
 * @throws StackError naming the generator whose client cannot be generated or compiled
 */
export const checkClients = async (
  generators: readonly ClientGenerator[],
  { document, folder, cache, report }: ClientPlace,
): Promise<readonly string[]> => {
  const skipped: string[] = [];
  for (const { name, needs, check } of generators) {
    const missing = await missingOf(needs);
    if (missing.length > 0) {
      report(`${name}: not checked, install ${missing.join(' and ')}`);
      skipped.push(name);
      continue;
    }
    report(`${name}: generating and compiling a client`);
    const own = join(folder, name);
    mkdirSync(own);
    await check({ document, folder: own, cache, report }).catch((error: unknown) => {
      throw new StackError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  return skipped;
};
