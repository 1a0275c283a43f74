import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  actionsOf,
  codeWorkflow,
  commandLine,
  hookWorkflow,
  jsonOf,
  onTerminal,
  type CommandLine,
} from '../../support/command-line';
import { dataOf, restClient, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { chain, node } from '../../support/workflows';

describe('the command line', () => {
  let stack: Stack;
  let rest: Rest;
  let cli: CommandLine;
  const weft: CommandLine['weft'] = (words, options) => cli.weft(words, options);
  beforeAll(async () => {
    stack = await borrowStack({});
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    cli = commandLine(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    cli.remove();
    await giveStackBack(stack);
  });

  it('applies files, writes nothing for equal ones, and reports what was changed elsewhere', async () => {
    const folder = cli.files('drift', {
      'a.json': { ...hookWorkflow('A', 'cli-a'), active: true, id: 'ofAnotherInstance' },
      'sub/B.json': codeWorkflow('B', 'return [];'),
    });
    const apply = ['apply', '-f', folder, '--set', 'drift'];
    const first = await weft(apply);
    expect([first.code, actionsOf(first)]).toEqual([0, ['created a', 'created sub/b']]);
    const id: string = jsonOf(first).changes[0].id;
    expect(dataOf(await rest('GET', `/workflows/${id}`))['active']).toBe(true);
    const again = await weft(apply);
    expect([again.code, jsonOf(again)]).toMatchObject([0, { changes: [], unchanged: 2 }]);
    expect(await weft(['diff', '-f', folder, '--set', 'drift'])).toMatchObject({ code: 0, out: '' });

    await rest('PUT', `/workflows/${id}`, hookWorkflow('A, edited', 'cli-a'));
    const diff = await weft(['diff', '-f', folder, '--set', 'drift']);
    expect([diff.code, diff.out]).toEqual([1, `~ a (${id})\n  ~ name: "A, edited" -> "A"\n`]);
    const refused = await weft(apply);
    expect([refused.code, jsonOf(refused).conflicts[0].reason]).toEqual([5, 'CHANGED_ELSEWHERE']);
    expect(refused.err).toContain('"A, edited" -> "A"');
    const overwritten = await weft([...apply, '--overwrite']);
    expect([overwritten.code, actionsOf(overwritten)]).toEqual([0, ['updated a']]);
    expect(dataOf(await rest('GET', `/workflows/${id}`))).toMatchObject({ name: 'A', active: true });
  });

  it('has an exit code for each outcome of a run, and data alone on stdout', async () => {
    const folder = cli.files('runs', {
      'good.json': codeWorkflow('good', 'console.log("seen"); return [{ json: { n: 1 } }, { json: { n: 2 } }];'),
      'bad.json': codeWorkflow('bad', 'throw new Error("broken")'),
      'slow.json': chain('cli-slow', [
        node('Start', 'manualTrigger', 1, 0),
        node('Wait', 'wait', 1.1, 200, { amount: 60, unit: 'seconds' }),
      ]),
      'late.json': codeWorkflow('late', 'while (true) {}', { executionTimeout: 1 }),
    });
    expect((await weft(['apply', '-f', folder])).code).toBe(0);
    const good = await weft(['run', 'key:good', '--input', '{"a":1}', '--follow']);
    expect([good.code, jsonOf(good).state]).toEqual([0, 'success']);
    expect(good.err).toMatch(/success Code\[0\] 2 items/);
    const { id } = jsonOf(good);
    const logs = await weft(['logs', id]);
    expect(
      logs.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { type: 'execution.accepted' },
      { node: 'Start' },
      { node: 'Code', console: [expect.stringContaining('seen')] },
      { type: 'execution.ended' },
    ]);
    const items = await weft(['items', id, 'Code']);
    expect(
      items.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).json),
    ).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await weft(['items', id, 'Nowhere'])).code).toBe(4);

    const bad = await weft(['run', 'bad']);
    expect([bad.code, jsonOf(bad).state]).toEqual([10, 'error']);
    expect(bad.err).toContain('broken');
    const late = await weft(['run', 'late']);
    expect([late.code, jsonOf(late).data.resultData.error.reason]).toEqual([12, 'TIMED_OUT']);

    const slow = await weft(['run', 'cli-slow', '--timeout', '1s']);
    expect([slow.code, jsonOf(slow).state]).toEqual([13, 'running']);
    const started = jsonOf(await weft(['run', 'cli-slow', '--no-wait'])).executionId;
    expect((await weft(['execution', 'cancel', started])).code).toBe(0);
    const cancelled = weft(['run', 'cli-slow']);
    await until('the run', async () => {
      const listed = jsonOf(await weft(['execution', 'list', '--workflow', 'cli-slow', '--from', '5m']));
      const [run] = listed.filter(
        ({ id: one, state }: { id: string; state: string }) => one !== jsonOf(slow).id && state !== 'cancelled',
      );
      if (run !== undefined) await weft(['execution', 'cancel', run.id]);
      return run !== undefined;
    });
    expect((await cancelled).code).toBe(11);
    const interrupted = await weft(['run', 'cli-slow'], {
      onStart: (child) => {
        setTimeout(() => child.kill('SIGINT'), 3_000);
      },
    });
    expect([interrupted.code, interrupted.err]).toEqual([130, expect.stringContaining('weft execution cancel ')]);
    expect((await weft(['execution', 'retry', '--all', '--workflow', 'bad', '--dry-run'])).out).toContain(
      '"matched": 1',
    );
  });

  it('has an exit code for each failure, with the error of the API on stderr', async () => {
    const empty = join(cli.folder, 'empty');
    mkdirSync(empty, { recursive: true });
    const broken = cli.files('broken', {});
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, 'x.yaml'), 'nodes: []\nname: "x\n');
    const outcomes: readonly (readonly [number, readonly string[], Parameters<typeof weft>[1]?])[] = [
      [2, ['no-such-command']],
      [2, ['workflow', 'list', '--limit', 'many']],
      [2, ['apply', '-f', empty]],
      [2, ['apply', '-f', broken]],
      [2, ['login'], { env: { WEFT_URL: '' } }],
      [3, ['workflow', 'list'], { key: 'weft_wrong' }],
      [3, ['workflow', 'list'], { env: { WEFT_URL: '', WEFT_API_KEY: '', WEFT_CONTEXT: 'none' } }],
      [4, ['workflow', 'get', 'no such workflow']],
      [4, ['execution', 'get', 'nothing']],
      [6, ['workflow', 'list'], { env: { WEFT_URL: 'http://127.0.0.1:1' } }],
    ];
    for (const [code, words, options] of outcomes) {
      const outcome = await weft(words, options);
      expect([words, outcome.code, outcome.out]).toEqual([words, code, '']);
      expect(outcome.err).not.toBe('');
    }
    expect((await weft(['apply', '-f', broken])).err).toMatch(/x\.yaml:\d+:\d+: is not valid YAML/);
    const { error } = JSON.parse((await weft(['execution', 'get', 'nothing'])).err);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { executionId: 'nothing' } });
  });

  it('calls the operations of a noun, and takes secrets from the environment only', async () => {
    const created = await weft(
      ['credential', 'create', '--name', 'From env', '--type', 'httpHeaderAuth'].concat(
        ...['data.name=HEADER', 'data.value=TOKEN'].map((one) => ['--from-env', one]),
      ),
      { env: { HEADER: 'X-T', TOKEN: 'planted token' } },
    );
    expect([created.code, jsonOf(created).name]).toEqual([0, 'From env']);
    const seen = await weft(['credential', 'create', '--name', 'n', '--type', 't', '--data', '{"value":"planted"}']);
    expect([seen.code, seen.out]).toEqual([2, '']);
    const { id } = jsonOf(created);
    expect(jsonOf(await weft(['credential', 'get', id])).id).toBe(id);
    expect((await weft(['variable', 'create', '--key', 'CLI_V', '--value', '1'])).code).toBe(0);
    expect(JSON.stringify(jsonOf(await weft(['variable', 'list'])))).toContain('CLI_V');
    expect((await weft(['variable', 'create', '--value', '1'])).err).toContain('--key');
    const page = await weft(['audit', 'list', '--action', 'credential.create', '--limit', '1']);
    expect(jsonOf(page)).toHaveLength(1);
    expect(jsonOf(await weft(['api', 'GET', '/me'])).data.user.email).toBe('owner@weft.local');
  });

  it('logs in at a terminal with a hidden key, and keeps it in a file that others cannot read', async () => {
    const config = join(cli.folder, 'contexts.json');
    const env = { HOME: cli.folder, WEFT_CONFIG: config };
    const run = `'${process.execPath}' '${cli.program}'`;
    const typed = await onTerminal(`${run} login ${stack.baseUrls[0]} --name here`, env, [
      { prompt: 'API key: ', line: stack.apiKey },
    ]);
    expect([typed.code, typed.out]).toEqual([0, expect.stringMatching(/user:\s+owner@weft\.local/)]);
    expect(typed.out).not.toContain(stack.apiKey);
    expect(statSync(config).mode & 0o777).toBe(0o600);
    const plain = await onTerminal(`${run} workflow list --limit 1; echo code $?`, env, []);
    expect(plain.out).toMatch(/^ID\s+NAME.*code 0/s);
    const shared = { ...env, WEFT_URL: '', WEFT_API_KEY: '' };
    expect((await weft(['context', 'show'], { env: shared })).out).not.toContain(stack.apiKey);
    expect(jsonOf(await weft(['doctor'], { env: shared })).map(({ ok }: { ok: boolean }) => ok)).not.toContain(false);
    const piped = await weft(['login', stack.baseUrls[0] ?? '', '--with-key', '--name', 'piped'], {
      env: shared,
      input: `${stack.apiKey}\n`,
    });
    expect(piped.code).toBe(0);
    writeFileSync(config, readFileSync(config), { mode: 0o644 });
    chmodSync(config, 0o644);
    expect(await weft(['context', 'list'], { env: shared })).toMatchObject({ code: 2, out: '' });
  });

  it('shows no control characters of names on a terminal', async () => {
    // C1 controls, which JSON does not escape; names may not have others.
    await rest('POST', '/variables', { key: 'CLI_CONTROL', value: 'a\u001b[31m\u009b31mred' });
    const { out } = await weft(['variable', 'list', '-o', 'table']);
    expect(out).toContain('a[31m31mred');
    expect((await weft(['variable', 'list', '-o', 'json'])).out).toContain('\\u009b31mred');
  });
});
