import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WeftError } from '@weft/client';
import { COMMANDS, GROUPS } from './commands/all';
import { runProgram } from './program';
import { RELEASE } from './release';
import { durationOf, timeOf } from './session/duration';
import { CommandError, EXIT, exitCodeOf, mostSevere } from './session/exit-code';
import type { Io } from './session/io';

const io = (env: Io['env'] = {}, outIsTerminal = false) => {
  const printed = { out: '', err: '' };
  const made: Io = {
    env,
    outIsTerminal,
    inIsTerminal: false,
    out: (data) => void (printed.out += String(data)),
    err: (text) => void (printed.err += text),
    readAll: () => '',
    askSecret: () => Promise.reject(new Error('no terminal')),
    signal: new AbortController().signal,
  };
  return { printed, run: (...words: string[]) => runProgram(made, COMMANDS, GROUPS, '1.2.3', words) };
};

const failure = (status: number) =>
  new WeftError({
    message: 'm',
    status,
    code: 'C',
    reason: undefined,
    details: {},
    requestId: undefined,
    retryAfterMs: undefined,
  });

describe('the program', () => {
  it('names each command once, and each has its group', () => {
    const paths = COMMANDS.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const groups = paths.flatMap((path) => (path.includes(' ') ? [path.split(' ')[0] ?? ''] : []));
    expect([...new Set(groups)].filter((group) => GROUPS[group] === undefined)).toEqual([]);
  });

  it('has no option that two parts of a command define', () => {
    for (const { path, options = [] } of COMMANDS) {
      const names = options.map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0]);
      expect([path, new Set(names).size]).toEqual([path, names.length]);
      for (const common of ['--output', '--quiet', '--context', '--timeout', '--debug'])
        expect([path, names]).not.toEqual([path, expect.arrayContaining([common])]);
    }
  });

  it('says how to set each missing field, secrets from the environment', async () => {
    const { printed, run } = io();
    expect(await run('user', 'create', '--email', 'a@b.example')).toBe(EXIT.usage);
    expect(printed.err).toContain('Missing: --from-env password=VARIABLE, --role.');
  });

  it('prints help on stdout, and errors with a suggestion on stderr', async () => {
    const help = io();
    expect(await help.run('workflow', 'list', '--help')).toBe(EXIT.success);
    expect(help.printed).toMatchObject({ out: expect.stringContaining('--search'), err: '' });
    const wrong = io();
    expect(await wrong.run('aply')).toBe(EXIT.usage);
    expect(wrong.printed).toMatchObject({ out: '', err: expect.stringContaining('apply') });
    expect(await io().run('workflow', 'list', '--no-such')).toBe(EXIT.usage);
    expect(await io().run('apply')).toBe(EXIT.usage);
  });

  it('checks app files without an instance, and shows every problem with its file, line and path', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-apps-'));
    try {
      const good = readFileSync(join(__dirname, '../../../../samples/apps/apify.yaml'), 'utf8');
      writeFileSync(join(folder, 'good.yaml'), good);
      const checked = io({ WEFT_CONFIG: '/nonexistent/contexts.json' });
      expect(await checked.run('app', 'check', join(folder, 'good.yaml'))).toBe(EXIT.success);
      expect(JSON.parse(checked.printed.out)).toMatchObject([
        { name: 'apify', kinds: ['@apify/n8n-nodes-apify.apify'] },
      ]);
      const bad = good.replace('hosts: [api.apify.com]', 'hosts: [api.example.com]');
      writeFileSync(join(folder, 'bad.yaml'), `${bad}more: 1\n`);
      writeFileSync(join(folder, 'worse.yaml'), 'a: [');
      const refused = io();
      expect(await refused.run('app', 'check', folder)).toBe(EXIT.usage);
      expect(refused.printed.err).toMatch(/^.*2 problems\.$/m);
      expect(refused.printed.err).toMatch(/bad\.yaml:\d+: more: The field is not known\./);
      expect(refused.printed.err).toMatch(/worse\.yaml:1: /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says how to name an instance', async () => {
    const none = io({ WEFT_CONFIG: '/nonexistent/contexts.json' });
    expect(await none.run('workflow', 'list')).toBe(EXIT.notAllowed);
    expect(none.printed.err).toMatch(/weft login URL.*WEFT_URL and WEFT_API_KEY/);
  });

  it('prints a table on a terminal and JSON in a pipe', async () => {
    const [terminal, pipe] = [io({}, true), io({}, false)];
    await terminal.run('version');
    await pipe.run('version');
    expect(terminal.printed.out).toMatch(/^id:\s+\d+\.\d+\.\d+\n/);
    expect(JSON.parse(pipe.printed.out)).toHaveProperty('release');
  });

  it('completes commands and options', async () => {
    const some = io();
    await some.run('complete', '--', 'workflow');
    expect(some.printed.out.split('\n')).toContain('activate');
    const flags = io();
    await flags.run('complete', '--', 'apply');
    expect(flags.printed.out.split('\n')).toEqual(expect.arrayContaining(['--prune', '--set']));
    for (const shell of ['bash', 'zsh', 'fish']) expect(await io().run('completion', shell)).toBe(0);
    expect(await io().run('completion', 'tcsh')).toBe(EXIT.usage);
  });

  it('has the release of its package', () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
    expect(RELEASE).toBe(version);
  });

  it('has the operations of the OpenAPI document', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-verbs-'));
    try {
      const root = join(__dirname, '../..');
      execFileSync(process.execPath, [join(root, 'bin/generate.mjs'), join(folder, 'nouns.gen.ts')]);
      const committed = readFileSync(join(root, 'src/commands/nouns.gen.ts'), 'utf8');
      expect(readFileSync(join(folder, 'nouns.gen.ts'), 'utf8')).toBe(committed);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the exit code', () => {
  it.each([
    [400, 2],
    [401, 3],
    [403, 3],
    [404, 4],
    [409, 5],
    [412, 5],
    [429, 7],
    [500, 1],
    [503, 6],
    [0, 6],
  ])('of status %d is %d', (status, code) => {
    expect(exitCodeOf(failure(status))).toBe(code);
  });

  it('is the one that a command gives, also below an error of the client', () => {
    const own = new CommandError('m', EXIT.notFound);
    const { status, code, reason, details, requestId, retryAfterMs, message } = failure(0);
    const outer = new WeftError({ status, code, reason, details, requestId, retryAfterMs, message }, own);
    expect([exitCodeOf(own), exitCodeOf(outer), exitCodeOf(new Error('m'))]).toEqual([4, 4, 1]);
  });

  it('of several failures is the most severe', () => {
    expect(mostSevere([])).toBe(0);
    expect(mostSevere([0, 5, 0])).toBe(5);
    expect(mostSevere([5, 2, 6])).toBe(6);
  });
});

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(durationOf(text)).toBe(ms);
  });

  it.each(['', '5', '-1s', '1w', '1.5h', '999999d', '1e3s'])('is not %j', (text) => {
    expect(() => durationOf(text)).toThrow(CommandError);
  });

  it('counts back from now where a time is wanted, and a time needs a zone', () => {
    expect(timeOf('2h', Date.parse('2026-01-02T00:00:00Z'))).toBe('2026-01-01T22:00:00.000Z');
    expect(timeOf('2026-01-01T00:00:00+02:00')).toBe('2025-12-31T22:00:00.000Z');
    expect(() => timeOf('2026-01-01T00:00:00')).toThrow(CommandError);
  });
});
