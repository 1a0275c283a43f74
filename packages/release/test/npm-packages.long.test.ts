import { borrowStack, findPlaces, giveStackBack, runCommand, tryCommand, type Stack } from '@weft/local-stack';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MINUTES = 60_000;
const { checkout } = findPlaces(process.env);

/** Starts a run with each client, as CommonJS. */
const COMMON = `
const { createWeft } = require('@weft/client');
const { connect, WorkflowService } = require('@weft/grpc');
const weft = createWeft({ baseUrl: process.env.URL, apiKey: process.env.KEY });
const grpc = connect({ target: process.env.WORKFLOWS, apiKey: process.env.KEY });
Promise.all([weft.call('listWorkflows', {}), grpc.call(WorkflowService.listWorkflows, { limit: 1 })])
  .then(([rest, { workflows }]) => console.log(Array.isArray(rest.data), Array.isArray(workflows)))
  .finally(() => grpc.close());
`;

const TYPES = `
import { createWeft, type WeftError } from '@weft/client';
import { connect, detailsOf, EventService, executions, ExecutionService, message, type Connection } from '@weft/grpc';
const weft = createWeft({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'key' });
export const toExecutions: Connection = connect({ target: '127.0.0.1:7002', apiKey: 'key' });
export const use = async (executionId: string, error: WeftError): Promise<unknown> => {
  const start = message(executions.ExecutionStart, { workflowId: 'w' });
  const { started } = await toExecutions.call(ExecutionService.startExecution, { start });
  for await (const { frame } of toExecutions.stream(EventService.streamEvents, { executionId }))
    if (frame?.$case === 'event') frame.value.sequence.toFixed();
  // @ts-expect-error: a field that the message does not have
  message(executions.ExecutionStart, { workflow: 'w' });
  // @ts-expect-error: a method that returns one response
  toExecutions.stream(ExecutionService.startExecution, { start });
  // @ts-expect-error: an operation that does not exist
  await weft.call('getNothing', {});
  return [started?.existing.valueOf(), detailsOf(error)?.fields];
};
`;

describe('the npm packages of a release, installed into an empty folder', () => {
  let stack: Stack;
  let scratch: string;
  let folder: string;

  beforeAll(async () => {
    stack = await borrowStack();
    scratch = mkdtempSync(join(tmpdir(), 'weft-packages-'));
    folder = mkdtempSync(join(tmpdir(), 'weft-user-'));
    const release = ['packages/release/bin/release.mjs', '--out', scratch, '--only', 'packages'];
    await runCommand(process.execPath, release, { cwd: checkout, limitMs: 30 * MINUTES });
    const files = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
    expect(files.map((name) => name.replace(/-\d.*/, '')).sort()).toEqual([
      'weft-cli',
      'weft-client',
      'weft-grpc',
      'weft-proto',
    ]);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await runCommand('npm', [...install, ...files.map((name) => join(scratch, name))], {
      cwd: folder,
      limitMs: 10 * MINUTES,
    });
  }, 45 * MINUTES);
  afterAll(async () => {
    for (const made of [scratch, folder]) rmSync(made, { recursive: true, force: true });
    await giveStackBack(stack);
  });

  const portOf = (service: 'workflows' | 'executions'): string => stack.grpcTargets[service].replace('ipv4:', '');
  const run = (file: string, program: string): Promise<string> => {
    writeFileSync(join(folder, file), program);
    const env = { URL: stack.baseUrls[0], KEY: stack.apiKey, WORKFLOWS: portOf('workflows') };
    return runCommand(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } });
  };

  it('run the program of docs/grpc.md as ES modules, and print what the page says', async () => {
    const page = readFileSync(join(checkout, 'docs/grpc.md'), 'utf8');
    const [, program = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    const [, promised = ''] = /```js[\s\S]*?It prints (.*)\.$/m.exec(page) ?? [];
    const lines = [...promised.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line);
    expect(lines).toHaveLength(2);
    const here = program
      .replaceAll('127.0.0.1:7001', portOf('workflows'))
      .replaceAll('127.0.0.1:7002', portOf('executions'));
    expect((await run('example.mjs', here)).trim().split('\n')).toEqual(lines);
  });

  it('are CommonJS as well', async () => {
    expect(await run('example.cjs', COMMON)).toBe('true true\n');
  });

  it.each(['example.mts', 'example.cts'])('have types for %s, which refuse wrong fields and methods', async (file) => {
    writeFileSync(join(folder, file), TYPES);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      module: 'nodenext',
      typeRoots: [join(checkout, 'node_modules/@types')],
      types: ['node'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
    const compiler = join(checkout, 'node_modules/typescript/bin/tsc');
    const { code, stdout } = await tryCommand(process.execPath, [compiler, '-p', folder]);
    expect([code, stdout]).toEqual([0, '']);
  });

  it('contain no tests, and no maps of sources that they lack', async () => {
    const files = await runCommand('find', [join(folder, 'node_modules/@weft'), '-type', 'f']);
    expect(files).toContain('@weft/grpc/dist/esm/connect.js');
    expect(files.split('\n').filter((file) => /\.(test\.|map$)/.test(file))).toEqual([]);
  });

  it('contain the command line, which needs no other package', async () => {
    const { version }: { version: string } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
    expect(await runCommand(join(folder, 'node_modules/.bin/weft'), ['--version'], { cwd: folder })).toContain(version);
  });
});
