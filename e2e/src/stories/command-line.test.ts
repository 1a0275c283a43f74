import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { commandLine, onTerminal, type CommandLine, type Outcome } from '../support/command-line';
import { dataOf, restClient, textOf, type Rest } from '../support/rest';
import { until } from '../support/until';
import { makeUser } from '../support/users';
import { chain, node, type WorkflowFile } from '../support/workflows';

const manual = (name: string, code: string, settings: object = {}): WorkflowFile =>
  chain(name, [node('Start', 'manualTrigger', 1, 0), node('Code', 'code', 2, 200, { jsCode: code })], settings);
const hook = (name: string, path: string): WorkflowFile =>
  chain(name, [node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path }), node('Nothing', 'noOp', 1, 200)]);
const caller = (name: string, credential: string): WorkflowFile =>
  chain(name, [
    node('Start', 'manualTrigger', 1, 0),
    node(
      'Call',
      'httpRequest',
      4.2,
      200,
      { url: 'http://127.0.0.1:1', authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
      { credentials: { httpHeaderAuth: { id: 'ofAnotherInstance', name: credential } } },
    ),
  ]);

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

  const files = (folder: string, all: Readonly<Record<string, object>>): string => {
    const path = join(cli.folder, folder);
    for (const [name, value] of Object.entries(all)) {
      mkdirSync(join(path, name, '..'), { recursive: true });
      writeFileSync(join(path, name), JSON.stringify(value));
    }
    return path;
  };
  const json = ({ out, err }: Outcome) => {
    if (out === '') throw new Error(err);
    return JSON.parse(out);
  };
  const actions = (outcome: Outcome): readonly string[] =>
    json(outcome).changes.map(({ action, key }: { action: string; key: string }) => `${action} ${key}`);

  it('applies files, writes nothing for equal ones, and reports what was changed elsewhere', async () => {
    const folder = files('drift', {
      'a.json': { ...hook('A', 'cli-a'), active: true, id: 'ofAnotherInstance' },
      'sub/B.json': manual('B', 'return [];'),
    });
    const apply = ['apply', '-f', folder, '--set', 'drift'];
    const first = await weft(apply);
    expect([first.code, actions(first)]).toEqual([0, ['created a', 'created sub/b']]);
    const id: string = json(first).changes[0].id;
    expect(dataOf(await rest('GET', `/workflows/${id}`))['active']).toBe(true);
    const again = await weft(apply);
    expect([again.code, json(again)]).toMatchObject([0, { changes: [], unchanged: 2 }]);
    expect(await weft(['diff', '-f', folder, '--set', 'drift'])).toMatchObject({ code: 0, out: '' });

    await rest('PUT', `/workflows/${id}`, hook('A, edited', 'cli-a'));
    const diff = await weft(['diff', '-f', folder, '--set', 'drift']);
    expect([diff.code, diff.out]).toEqual([1, `~ a (${id})\n  ~ name: "A, edited" -> "A"\n`]);
    const refused = await weft(apply);
    expect([refused.code, json(refused).conflicts[0].reason]).toEqual([5, 'CHANGED_ELSEWHERE']);
    expect(refused.err).toContain('"A, edited" -> "A"');
    const overwritten = await weft([...apply, '--overwrite']);
    expect([overwritten.code, actions(overwritten)]).toEqual([0, ['updated a']]);
    expect(dataOf(await rest('GET', `/workflows/${id}`))).toMatchObject({ name: 'A', active: true });
  });

  it('pulls workflows into files that apply has nothing to change for', async () => {
    await rest('POST', '/credentials', { name: 'Pull key', type: 'httpHeaderAuth', data: { name: 'X', value: 'v' } });
    const folder = files('pulled-from', { 'c.json': caller('C', 'Pull key'), 'd.json': manual('D', 'a\n\n  b \n') });
    expect((await weft(['apply', '-f', folder, '--set', 'pulled'])).code).toBe(0);
    const target = join(cli.folder, 'pulled');
    const pulled = await weft(['pull', '-f', target, '--set', 'pulled']);
    expect([pulled.code, json(pulled).length]).toEqual([0, 2]);
    const text = readFileSync(join(target, 'c.yaml'), 'utf8');
    expect(text).toMatch(/^key: c\nactive: false\n/);
    expect(text).toMatch(/httpHeaderAuth:\n\s+name: Pull key\n/);
    expect(text).not.toContain('ofAnotherInstance');
    const applied = await weft(['apply', '-f', target, '--set', 'pulled']);
    expect([applied.code, json(applied)]).toMatchObject([0, { changes: [], unchanged: 2 }]);
    expect((await weft(['pull', '-f', target, '--set', 'pulled', '--check'])).code).toBe(0);
    await rest('PUT', `/workflows/${json(await weft(['workflow', 'get', 'key:d'])).id}`, manual('D2', 'x'));
    expect((await weft(['pull', '-f', target, '--set', 'pulled', '--check'])).code).toBe(1);
    expect(readFileSync(join(target, 'd.yaml'), 'utf8')).toContain('name: D\n');
    // An export that is in the folder keeps its format.
    expect((await weft(['pull', '-f', folder, '--set', 'pulled'])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'd.json'), 'utf8'))).toMatchObject({ key: 'd', name: 'D2' });
  });

  it('prunes only its own set, and at most half of it', async () => {
    const all = { 'p1.json': manual('P1', '1'), 'p2.json': manual('P2', '2'), 'p3.json': manual('P3', '3') };
    const whole = files('whole', all);
    const { 'p3.json': _, ...rest2 } = all;
    const part = files('part', rest2);
    const one = files('one', { 'p1.json': all['p1.json'] });
    const other = files('other-set', { 'q1.json': manual('Q1', '1') });
    await weft(['apply', '-f', whole, '--set', 'pruned']);
    await weft(['apply', '-f', other, '--set', 'not pruned']);
    const most = await weft(['apply', '-f', one, '--set', 'pruned', '--prune']);
    expect([most.code, most.out]).toEqual([2, '']);
    expect(most.err).toContain('would delete 2 of the 3 workflows');
    const pruned = await weft(['apply', '-f', part, '--set', 'pruned', '--prune']);
    expect([pruned.code, actions(pruned)]).toEqual([0, ['deleted p3']]);
    expect(pruned.err).toContain('1 workflows of the set are in no file');
    expect((await weft(['workflow', 'get', 'key:p3'])).code).toBe(4);
    expect((await weft(['workflow', 'get', 'key:q1'])).code).toBe(0);
    expect((await weft(['apply', '-f', part, '--prune'])).code).toBe(2);
  });

  it('applies as an editor of a project, with the credential of that name in the project', async () => {
    const editor = await makeUser(stack, 'cli-editor', 'editor');
    const project = textOf(await rest('POST', '/projects', { name: 'Billing' }), 'id');
    await rest('POST', `/projects/${project}/members`, { email: 'cli-editor@users.invalid', role: 'editor' });
    const data = { name: 'X-Erp', value: 'planted value' };
    await rest('POST', '/credentials', { name: 'ERP', type: 'httpHeaderAuth', data, projectId: project });
    const folder = files('project', { 'e.json': caller('E', 'ERP'), 'f.json': caller('F', 'not there') });
    const applied = await weft(['apply', '-f', folder, '--project', 'Billing', '--set', 'billing'], { key: editor });
    expect([applied.code, actions(applied)]).toEqual([
      5,
      ['created project-e', 'created f'].map((one) => one.replace('project-', '')),
    ]);
    expect(json(applied).conflicts).toMatchObject([{ key: 'f', reason: 'CREDENTIAL_NOT_LINKED' }]);
    const stored = await rest('GET', `/workflows?projectId=${project}&summary=true`);
    expect(stored.text).toContain('"key":"e"');
    expect(applied.out + applied.err).not.toContain('planted value');
    const again = await weft(['apply', '-f', folder, '--project', project, '--set', 'billing'], { key: editor });
    expect([again.code, json(again)]).toMatchObject([5, { changes: [], unchanged: 1 }]);
  });

  it('ends in the same state after it was killed midway, and two at once are done or report a conflict', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `k${index}`);
    const folder = files('killed', Object.fromEntries(names.map((name) => [`${name}.json`, manual(name, 'return 1')])));
    const apply = ['apply', '-f', folder, '--set', 'killed'];
    const summary = async () => (await rest('GET', '/workflows?summary=true&set=killed')).json.data;
    const count = async (): Promise<number> => {
      const all = await summary();
      return Array.isArray(all) ? all.length : 0;
    };
    const killed = await weft(apply, {
      onStart: (child) => {
        void until('some workflows', async () => (await count()) > 2).then(() => child.kill('SIGKILL'));
      },
    });
    expect(killed.code).toBeNull();
    expect(await count()).toBeLessThan(30);
    const both = await Promise.all([weft(apply), weft(apply)]);
    for (const { code } of both) expect([0, 5]).toContain(code);
    const last = await weft(apply);
    expect([last.code, json(last)]).toMatchObject([0, { changes: [], unchanged: 30 }]);
    expect(await count()).toBe(30);
  });

  it('has an exit code for each outcome of a run, and data alone on stdout', async () => {
    const folder = files('runs', {
      'good.json': manual('good', 'console.log("seen"); return [{ json: { n: 1 } }, { json: { n: 2 } }];'),
      'bad.json': manual('bad', 'throw new Error("broken")'),
      'slow.json': chain('slow', [
        node('Start', 'manualTrigger', 1, 0),
        node('Wait', 'wait', 1.1, 200, { amount: 60, unit: 'seconds' }),
      ]),
      'late.json': manual('late', 'while (true) {}', { executionTimeout: 1 }),
    });
    expect((await weft(['apply', '-f', folder])).code).toBe(0);
    const good = await weft(['run', 'key:good', '--input', '{"a":1}', '--follow']);
    expect([good.code, json(good).state]).toEqual([0, 'success']);
    expect(good.err).toMatch(/success Code\[0\] 2 items/);
    const { id } = json(good);
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
    expect([bad.code, json(bad).state]).toEqual([10, 'error']);
    expect(bad.err).toContain('broken');
    const late = await weft(['run', 'late']);
    expect([late.code, json(late).data.resultData.error.reason]).toEqual([12, 'TIMED_OUT']);

    const slow = await weft(['run', 'slow', '--timeout', '1s']);
    expect([slow.code, json(slow).state]).toEqual([13, 'running']);
    const started = json(await weft(['run', 'slow', '--no-wait'])).executionId;
    expect((await weft(['execution', 'cancel', started])).code).toBe(0);
    const cancelled = weft(['run', 'slow']);
    await until('the run', async () => {
      const { out } = await weft([
        'execution',
        'list',
        '--workflow',
        'slow',
        '--from',
        '1m',
        '--status',
        'waiting',
        '-q',
      ]);
      const ids = out
        .trim()
        .split('\n')
        .filter((one) => one !== '' && one !== json(slow).executionId);
      for (const one of ids) await weft(['execution', 'cancel', one]);
      return ids.length > 0;
    });
    expect((await cancelled).code).toBe(11);
    const interrupted = await weft(['run', 'slow'], {
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
    const broken = files('broken', {});
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

  it('waits for a rate limit as long as it may, and says what a page of a proxy is', async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      if (request.url?.includes('workflows') === true)
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      const isLate = asked > 1 && request.headers['x-svc-api-key'] === 'patient';
      return response
        .writeHead(isLate ? 200 : 429, { 'content-type': 'application/json', 'retry-after': '1' })
        .end(
          JSON.stringify(isLate ? { data: { release: '9' } } : { error: { code: 'RATE_LIMITED', message: 'Slow.' } }),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const env = { WEFT_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
    try {
      const limited = await weft(['version', '--server', '--timeout', '500ms'], { env });
      expect([limited.code, limited.out]).toEqual([7, '']);
      asked = 0;
      const waited = await weft(['version', '--server'], { env, key: 'patient' });
      expect([waited.code, json(waited).server]).toEqual([0, { release: '9' }]);
      const page = await weft(['workflow', 'list'], { env });
      expect([page.code, page.err]).toEqual([6, expect.stringContaining('an HTML page')]);
    } finally {
      server.close();
    }
  });

  it('calls the operations of a noun, and takes secrets from the environment only', async () => {
    const created = await weft(
      ['credential', 'create', '--name', 'From env', '--type', 'httpHeaderAuth'].concat(
        ...['data.name=HEADER', 'data.value=TOKEN'].map((one) => ['--from-env', one]),
      ),
      { env: { HEADER: 'X-T', TOKEN: 'planted token' } },
    );
    expect([created.code, json(created).name]).toEqual([0, 'From env']);
    const seen = await weft(['credential', 'create', '--name', 'n', '--type', 't', '--data', '{"value":"planted"}']);
    expect([seen.code, seen.out]).toEqual([2, '']);
    const { id } = json(created);
    expect(json(await weft(['credential', 'get', id])).id).toBe(id);
    expect((await weft(['variable', 'create', '--key', 'CLI_V', '--value', '1'])).code).toBe(0);
    expect(JSON.stringify(json(await weft(['variable', 'list'])))).toContain('CLI_V');
    expect((await weft(['variable', 'create', '--value', '1'])).err).toContain('--key');
    const page = await weft(['audit', 'list', '--action', 'credential.create', '--limit', '1']);
    expect(json(page)).toHaveLength(1);
    expect(json(await weft(['api', 'GET', '/me'])).data.user.email).toBe('owner@weft.local');
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
    expect(json(await weft(['doctor'], { env: shared })).map(({ ok }: { ok: boolean }) => ok)).not.toContain(false);
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
