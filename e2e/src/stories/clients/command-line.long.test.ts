import { borrowStack, giveStackBack, makeAuthority, type Stack } from '@weft/local-stack';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join, relative } from 'node:path';
import { corpus, hasCorpus } from '../../corpus/places';
import {
  actionsOf,
  callingWorkflow,
  codeWorkflow,
  commandLine,
  jsonOf,
  type CommandLine,
} from '../../support/command-line';
import { restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';

/** The workflow of a corpus file, to be inactive; undefined for files with other content. */
const workflowIn = (path: string): object | undefined => {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const { active: _, ...workflow } = file.workflow ?? file;
    return Array.isArray(workflow.nodes) ? workflow : undefined;
  } catch {
    return undefined;
  }
};

describe('files applied by the command line', () => {
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

  it('pulls workflows into files that apply has nothing to change for', async () => {
    await rest('POST', '/credentials', { name: 'Pull key', type: 'httpHeaderAuth', data: { name: 'X', value: 'v' } });
    const folder = cli.files('pulled-from', {
      'c.json': callingWorkflow('C', 'Pull key'),
      'd.json': codeWorkflow('D', 'a\n\n  b \n'),
    });
    expect((await weft(['apply', '-f', folder, '--set', 'pulled'])).code).toBe(0);
    const target = join(cli.folder, 'pulled');
    const pulled = await weft(['pull', '-f', target, '--set', 'pulled']);
    expect([pulled.code, jsonOf(pulled).length]).toEqual([0, 2]);
    const text = readFileSync(join(target, 'c.yaml'), 'utf8');
    expect(text).toMatch(/^key: c\nactive: false\n/);
    expect(text).toMatch(/httpHeaderAuth:\n\s+name: Pull key\n/);
    expect(text).not.toContain('ofAnotherInstance');
    const applied = await weft(['apply', '-f', target, '--set', 'pulled']);
    expect([applied.code, jsonOf(applied)]).toMatchObject([0, { changes: [], unchanged: 2 }]);
    expect((await weft(['pull', '-f', target, '--set', 'pulled', '--check'])).code).toBe(0);
    await rest('PUT', `/workflows/${jsonOf(await weft(['workflow', 'get', 'key:d'])).id}`, codeWorkflow('D2', 'x'));
    expect((await weft(['pull', '-f', target, '--set', 'pulled', '--check'])).code).toBe(1);
    expect(readFileSync(join(target, 'd.yaml'), 'utf8')).toContain('name: D\n');
    expect((await weft(['workflow', 'export', 'key:d'])).out).toContain('\nname: D2\n');
    expect(jsonOf(await weft(['workflow', 'export', 'key:d', '-o', 'json']))).toMatchObject({ name: 'D2' });
    // An export that is in the folder keeps its format.
    expect((await weft(['pull', '-f', folder, '--set', 'pulled'])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'd.json'), 'utf8'))).toMatchObject({ key: 'd', name: 'D2' });
  });

  it('prunes only its own set, and at most half of it', async () => {
    const all = {
      'p1.json': codeWorkflow('P1', '1'),
      'p2.json': codeWorkflow('P2', '2'),
      'p3.json': codeWorkflow('P3', '3'),
    };
    const whole = cli.files('whole', all);
    const { 'p3.json': _, ...rest2 } = all;
    const part = cli.files('part', rest2);
    const one = cli.files('one', { 'p1.json': all['p1.json'] });
    const other = cli.files('other-set', { 'q1.json': codeWorkflow('Q1', '1') });
    await weft(['apply', '-f', whole, '--set', 'pruned']);
    await weft(['apply', '-f', other, '--set', 'not pruned']);
    const most = await weft(['apply', '-f', one, '--set', 'pruned', '--prune']);
    expect([most.code, most.out]).toEqual([2, '']);
    expect(most.err).toContain('would delete 2 of the 3 workflows');
    const pruned = await weft(['apply', '-f', part, '--set', 'pruned', '--prune']);
    expect([pruned.code, actionsOf(pruned)]).toEqual([0, ['deleted p3']]);
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
    const folder = cli.files('project', {
      'e.json': callingWorkflow('E', 'ERP'),
      'f.json': callingWorkflow('F', 'not there'),
    });
    const applied = await weft(['apply', '-f', folder, '--project', 'Billing', '--set', 'billing'], { key: editor });
    expect([applied.code, actionsOf(applied)]).toEqual([
      5,
      ['created project-e', 'created f'].map((one) => one.replace('project-', '')),
    ]);
    expect(jsonOf(applied).conflicts).toMatchObject([{ key: 'f', reason: 'CREDENTIAL_NOT_LINKED' }]);
    const stored = await rest('GET', `/workflows?projectId=${project}&summary=true`);
    expect(stored.text).toContain('"key":"e"');
    expect(applied.out + applied.err).not.toContain('planted value');
    const again = await weft(['apply', '-f', folder, '--project', project, '--set', 'billing'], { key: editor });
    expect([again.code, jsonOf(again)]).toMatchObject([5, { changes: [], unchanged: 1 }]);
  });

  it('ends in the same state after it was killed midway, and two at once are done or report a conflict', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `k${index}`);
    const folder = cli.files(
      'killed',
      Object.fromEntries(names.map((name) => [`${name}.json`, codeWorkflow(name, 'return 1')])),
    );
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
    expect([last.code, jsonOf(last)]).toMatchObject([0, { changes: [], unchanged: 30 }]);
    expect(await count()).toBe(30);
  });

  it('trusts the authority of WEFT_CA, and no other certificate', async () => {
    const authority = makeAuthority(cli.folder);
    const { key, certificate } = authority.issue('gateway', ['127.0.0.1']);
    const server = createTlsServer({ key, cert: certificate }, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"release":"9"}}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const env = { WEFT_URL: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
    try {
      const refused = await weft(['version', '--server'], { env });
      expect([refused.code, refused.err]).toEqual([6, expect.stringMatching(/certificate.*was refused.*WEFT_CA/)]);
      const trusted = await weft(['version', '--server'], { env: { ...env, WEFT_CA: authority.file } });
      expect([trusted.code, jsonOf(trusted).server]).toEqual([0, { release: '9' }]);
    } finally {
      server.close();
    }
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
      expect([waited.code, jsonOf(waited).server]).toEqual([0, { release: '9' }]);
      const page = await weft(['workflow', 'list'], { env });
      expect([page.code, page.err]).toEqual([6, expect.stringContaining('an HTML page')]);
    } finally {
      server.close();
    }
  });

  (hasCorpus ? it : it.skip)(
    'applies the corpus, then has nothing to do in nine requests, and pulls the same',
    async () => {
      const found = readdirSync(corpus, { recursive: true, withFileTypes: true })
        .filter(({ name, parentPath }) => name.endsWith('.json') && !parentPath.includes('sealed'))
        .map(({ parentPath, name }) => join(parentPath, name))
        .flatMap((path) => {
          const workflow = workflowIn(path);
          return workflow === undefined ? [] : [[relative(corpus, path), workflow] as const];
        });
      expect(found).toHaveLength(385);
      const folder = cli.files('corpus', Object.fromEntries(found));
      const apply = ['apply', '-f', folder, '--set', 'corpus'];
      const first = await weft(apply);
      // Credentials that the files name do not exist here.
      expect(first.code).toBe(5);
      expect(jsonOf(first).changes).toHaveLength(385);
      expect(new Set(jsonOf(first).changes.map(({ action }: { action: string }) => action))).toEqual(
        new Set(['created']),
      );
      const again = await weft([...apply, '--debug']);
      expect(jsonOf(again).changes).toEqual([]);
      expect(again.err.match(/^(?:GET|POST|PUT) http/gm)?.length).toBeLessThanOrEqual(9);

      const pulled = join(cli.folder, 'corpus-pulled');
      expect(jsonOf(await weft(['pull', '-f', pulled, '--set', 'corpus']))).toHaveLength(385);
      expect(jsonOf(await weft(['apply', '-f', pulled, '--set', 'corpus'])).changes).toEqual([]);
      expect((await weft(['diff', '-f', pulled, '--set', 'corpus'])).out).toBe('');
    },
    600_000,
  );
});
