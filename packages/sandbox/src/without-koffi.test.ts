import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { sealArchitecture } from './seal/system-calls';

const run = promisify(execFile);
/** Where koffi is installed, and with it all that this repository needs. */
const MODULES = join(require.resolve('koffi').split(`${sep}node_modules${sep}`)[0] ?? '', 'node_modules');
const LACKING = ['koffi', '@koromix'];
const COPIED = ['@jitl', 'acorn', 'jmespath', 'luxon'];

/**
 * A folder in which this package is installed, and koffi is not: as where it has no binary for a system. What limited
 * processes read is copied, since they may read nothing else.
 */
const installWithout = (folder: string): void => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@weft'), { recursive: true });
  for (const name of readdirSync(MODULES)) {
    if ([...LACKING, ...COPIED, '@weft'].includes(name) || name.startsWith('.')) continue;
    symlinkSync(join(MODULES, name), join(modules, name));
  }
  for (const name of COPIED) cpSync(join(MODULES, name), join(modules, name), { recursive: true });
  for (const name of readdirSync(join(MODULES, '@weft')))
    if (name !== 'sandbox') symlinkSync(join(MODULES, '@weft', name), join(modules, '@weft', name));
  for (const part of ['package.json', 'dist'])
    cpSync(join(MODULES, '@weft/sandbox', part), join(modules, '@weft/sandbox', part), { recursive: true });
};

/** Opens sandboxes, runs code in them, and prints the answer, what was told, and why it could not be ready. */
const scriptFor = (seal: string): string => `
  const { openSandboxes } = require('@weft/sandbox');
  const { runScript } = require('@weft/sandbox/testing');
  const told = [];
  const sandboxes = openSandboxes({
    seal: '${seal}', processes: 1, memoryMb: 64, timeoutMs: 5000, onUnsealed: ({ message }) => told.push(message),
  });
  (async () => {
    const refused = await sandboxes.ready().then(() => null, ({ message }) => message);
    const answer = await runScript(sandboxes.of('owner'), 'return 6 * 7');
    console.log(JSON.stringify({ refused, told, answer }));
    await sandboxes.close();
  })();
`;

(sealArchitecture() === undefined ? describe.skip : describe)('sandboxes where koffi cannot be loaded', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-without-koffi-'));
    installWithout(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outcomeWith = async (seal: string) => {
    const { stdout } = await run(process.execPath, ['-e', scriptFor(seal)], { cwd: folder, timeout: 30_000 });
    return JSON.parse(stdout);
  };

  it('run code in QuickJS, and say what is missing', async () => {
    expect(await outcomeWith('auto')).toMatchObject({
      refused: null,
      told: [expect.stringMatching(/The kernel cannot be called here: Cannot find module 'koffi'/)],
      answer: { value: 42 },
    });
  });

  it('run nothing if they must be sealed, and say what is missing', async () => {
    expect(await outcomeWith('required')).toMatchObject({
      refused: expect.stringMatching(/The kernel cannot be called here: Cannot find module 'koffi'/),
      told: [],
      answer: { stopped: 'start' },
    });
  });
});
