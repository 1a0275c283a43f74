import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const LAUNCHER = join(__dirname, '../../bin/use-node.mjs');
const SOURCE = readFileSync(LAUNCHER, 'utf8');
const PINNED = /PINNED = '([^']+)'/.exec(SOURCE)?.[1] ?? '';
const PLATFORM = `${process.platform}-${process.arch}`;
const INTEGRITY = new RegExp(`'${PLATFORM}': '([^']+)'`).exec(SOURCE)?.[1];

/** Stands for Node 24: prints how it was called, and ends with a distinct exit code. */
const NEWER = '#!/bin/sh\necho "on the newer one: $*"\nexit 7\n';

(INTEGRITY === undefined ? describe.skip : describe)('a command that an older Node starts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weft-use-node-'));
    for (const name of ['bin', 'cache']) mkdirSync(join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  };
  /** An npm that writes down how it is called, and puts a Node where that of the package is. */
  const putNpm = (integrity = INTEGRITY): void => {
    const lock = { packages: { [`node_modules/node-${PLATFORM}`]: { integrity: `sha512-${integrity}` } } };
    program(
      'bin/npm',
      `#!${process.execPath}
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(folder, 'npm-calls'))}, args.join(' ') + '\\n');
const modules = args[args.indexOf('--prefix') + 1] + '/node_modules';
mkdirSync(modules + '/node-${PLATFORM}/bin', { recursive: true });
writeFileSync(modules + '/node-${PLATFORM}/bin/node', ${JSON.stringify(NEWER)}, { mode: 0o755 });
writeFileSync(modules + '/.package-lock.json', ${JSON.stringify(JSON.stringify(lock))});
`,
    );
  };
  const npmCalls = (): readonly string[] =>
    existsSync(join(folder, 'npm-calls')) ? readFileSync(join(folder, 'npm-calls'), 'utf8').trim().split('\n') : [];
  /** Starts a command with a program that claims to be this version, and does as the code says. */
  const start = (version: string, code = '') => {
    program('old.cjs', `Object.defineProperty(process.versions, 'node', { value: '${version}' });\n${code}\n`);
    program('start.mjs', `import { useNode } from '${LAUNCHER}';\nawait useNode();\nconsole.log('went on');\n`);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', join(folder, 'old.cjs'), join(folder, 'start.mjs'), '--only', 'burst'],
      {
        encoding: 'utf8',
        env: { ...process.env, PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter), WEFT_CACHE: cache() },
      },
    );
    return { status, stdout, stderr };
  };
  const cache = (): string => join(folder, 'cache');

  it('fetches the pinned Node, says so, and runs the same on it; the next start finds it there', () => {
    putNpm();
    const command = `on the newer one: ${join(folder, 'start.mjs')} --only burst\n`;
    const path = join(cache(), `node-${PINNED}-${PLATFORM}`);
    const notice = `this is Node 20.19.0: fetching Node ${PINNED} into ${path}\n`;
    expect(start('20.19.0')).toEqual({ status: 7, stdout: `${notice}${command}`, stderr: '' });
    expect(start('22.1.0')).toEqual({ status: 7, stdout: command, stderr: '' });
    expect(npmCalls()).toEqual([
      expect.stringMatching(new RegExp(`^install --ignore-scripts .* node-${PLATFORM}@${PINNED}$`)),
    ]);
  });

  it('runs nothing of a package that is not the expected one, and keeps nothing of it', () => {
    putNpm('another');
    const { status, stderr } = start('20.19.0');
    expect([status, stderr]).toEqual([1, expect.stringContaining('is not the expected one')]);
    expect(existsSync(join(cache(), `node-${PINNED}-${PLATFORM}`))).toBe(false);
  });

  it('does not begin before 20.19, and fetches nothing from 24 on', () => {
    putNpm();
    const { status, stderr } = start('20.18.3');
    expect([status, stderr]).toEqual([1, expect.stringContaining('Node 24 is required, or 20.19 to fetch it')]);
    expect(start('24.0.0')).toEqual({ status: 0, stdout: 'went on\n', stderr: '' });
    expect(npmCalls()).toEqual([]);
  });

  it('does not run on a Node that reads one key of JSON as another', () => {
    putNpm();
    const misread = 'const { parse } = JSON; JSON.parse = (text) => parse(text.replace(/"[^"]*n"/, \'"other"\'));';
    expect(start('24.21.0', misread)).toMatchObject({ status: 7, stdout: expect.stringContaining('on the newer one') });
  });
});
