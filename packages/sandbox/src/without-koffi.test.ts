import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { sealArchitecture } from './seal/system-calls';

const run = promisify(execFile);
/** The node_modules folder that contains koffi and everything else this repository needs. */
const MODULES = join(require.resolve('koffi').split(`${sep}node_modules${sep}`)[0] ?? '', 'node_modules');
const LACKING = ['koffi', '@koromix'];

/** A folder in which this package is installed without koffi, as on a system without a binary of it. */
const installWithout = (folder: string): void => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@weft'), { recursive: true });
  for (const name of readdirSync(MODULES)) {
    if ([...LACKING, '@weft'].includes(name) || name.startsWith('.')) continue;
    symlinkSync(join(MODULES, name), join(modules, name));
  }
  for (const name of readdirSync(join(MODULES, '@weft')))
    if (name !== 'sandbox') symlinkSync(join(MODULES, '@weft', name), join(modules, '@weft', name));
  for (const part of ['package.json', 'dist'])
    cpSync(join(MODULES, '@weft/sandbox', part), join(modules, '@weft/sandbox', part), { recursive: true });
};

/** A task program that answers with its input. */
const TASKS = `
  const { serveTasks } = require('@weft/sandbox/program');
  const warmUp = () => Promise.resolve();
  void serveTasks({ inputBytes: 10, resultBytes: 10, warmUp, run: (kind, input) => Promise.resolve(input) });
`;

/** Opens sandboxes and task processes, uses both, and prints the outcomes and callbacks. */
const SCRIPT = `
  const { createPoolShare, openSandboxes, openTaskProcesses } = require('@weft/sandbox');
  const { runScript } = require('@weft/sandbox/testing');
  const told = [];
  const onUnavailable = ({ message }) => told.push(message);
  const limits = { memoryMb: 64, timeoutMs: 5000, onUnavailable };
  const sandboxes = openSandboxes({ processes: 1, ...limits });
  const share = createPoolShare({ processes: 1, held: 1 });
  const program = { path: __dirname + '/tasks.js', inputBytes: 10, resultBytes: 10, idleMb: 100 };
  const tasks = openTaskProcesses({ program, share, ...limits });
  (async () => {
    await Promise.all([sandboxes.ready(), tasks.ready()]);
    const { stopped: code } = await runScript(sandboxes.of('owner'), 'return 6 * 7');
    const { signal } = new AbortController();
    const { reason: task } = await tasks.of('owner').run({ kind: 'echo', input: Buffer.from('a'), signal });
    console.log(JSON.stringify({ told, code, task }));
    share.places.close();
    await Promise.all([sandboxes.close(), tasks.close()]);
  })();
`;

(sealArchitecture() === undefined ? describe.skip : describe)('a system for which there is no koffi', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-without-koffi-'));
    installWithout(folder);
    writeFileSync(join(folder, 'tasks.js'), TASKS);
    writeFileSync(join(folder, 'script.js'), SCRIPT);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('runs no code and no tasks, and reports what is missing', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'script.js')], { timeout: 30_000 });
    const missing = expect.stringMatching(/The kernel cannot be called here: Cannot find module 'koffi'/);
    expect(JSON.parse(stdout)).toEqual({ told: [missing, missing], code: 'unsealed', task: 'unsealed' });
  });
});
