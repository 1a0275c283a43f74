import type { AppCode, AppDocument } from '@weft/app-model';
import type { JsonObject } from '@weft/node-catalogue';
import type { SeenRequest } from '@weft/outbound/testing';
import { openSandboxes, type Sandboxes } from '@weft/sandbox';
import { type AppTestRun, runAppKind } from '../testing/run-app';
import { type ServiceAnswer, testService } from '../testing/test-service';

const SECRET = 'sk-very-secret-value';

/** One request, whose response becomes the item. */
const ONE_REQUEST = `
  function next({ values, responses }) {
    if (responses.length === 0) return { requests: [{ call: 'api', with: { path: '/' + values.id } }] };
    return { items: [responses[0].body] };
  }`;

describe('a code step', () => {
  let sandboxes: Sandboxes;
  let requests: SeenRequest[];
  let answer: (seen: SeenRequest, count: number) => ServiceAnswer;
  const server = testService((seen) => {
    requests.push(seen);
    return answer(seen, requests.length);
  });
  beforeAll(() => {
    sandboxes = openSandboxes({ processes: 2, memoryMb: 64, timeoutMs: 10_000 });
  });
  beforeEach(() => {
    requests = [];
    answer = ({ path }) => ({ body: { path } });
  });
  afterAll(() => sandboxes.close());

  const appWith = (source: string, code: Partial<AppCode> = {}): AppDocument => ({
    weftApp: 1,
    name: 'test',
    label: 'Test',
    hosts: ['127.0.0.1'],
    credentials: { httpBearerAuth: 'catalogue' },
    calls: { api: { url: server.url }, other: { url: server.url } },
    scripts: { shared: 'const double = (n) => 2 * n;' },
    kinds: {
      testApp: {
        label: 'Test',
        description: 'Test.',
        versions: [1, 2],
        groups: ['input'],
        credentials: [{ type: 'httpBearerAuth' }],
        parameters: [{ name: 'a', label: 'A', type: 'json' }],
        operations: { default: { code: { calls: ['api'], values: { id: '={{ $json.id }}' }, source, ...code } } },
      },
    },
  });
  const run = (source: string, over: Partial<AppTestRun> = {}, code: Partial<AppCode> = {}) =>
    runAppKind({
      app: appWith(source, code),
      http: server.client,
      credential: { token: SECRET },
      code: sandboxes.of('owner'),
      ...over,
    });
  const json = (result: Awaited<ReturnType<typeof run>>): JsonObject[] => result.items.map((item) => item.json);

  it('is called until it asks for no request, with its state and the responses', async () => {
    const source = `
      function next({ state, responses }) {
        const n = (state ?? 0) + responses.length;
        if (n >= 3) return { items: [{ n, last: responses[0].body, status: responses[0].status }] };
        return { state: n, requests: [{ call: 'api', with: { path: '/' + n } }] };
      }`;
    expect(json(await run(source))).toEqual([{ n: 3, last: { path: '/2' }, status: 200 }]);
    expect(requests.map(({ path }) => path)).toEqual(['/0', '/1', '/2']);
  });

  it('sees the parameters, the values of the app, its item, the version and the zone, and shared scripts', async () => {
    const source = `
      const next = ({ params, values, version, timezone }) =>
        ({ items: [{ a: params.a, values, version, timezone, four: double(2) }] });`;
    const code = { scripts: ['shared'], values: { b: '={{ $p.a + 1 }}' } };
    expect(json(await run(source, { items: [{ id: 7 }], parameters: { a: 1 } }, code))).toEqual([
      { a: 1, values: { b: 2 }, version: 2, timezone: 'UTC', four: 4 },
    ]);
  });

  it('sends methods, queries, headers, JSON and forms, and the credential, which it cannot see', async () => {
    const source = `
      function next(given) {
        if (given.responses.length > 0) return { items: [{ given, text: JSON.stringify(given) }] };
        const with1 = { method: 'POST', path: '/a', query: { q: 'x y' }, headers: { 'x-h': '1' }, body: { b: [1] } };
        const with2 = { method: 'PUT', form: true, body: { c: 1 } };
        return { requests: [{ call: 'api', with: with1 }, { call: 'api', with: with2 }] };
      }`;
    const [item] = json(await run(source));
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/a?q=x%20y',
        headers: { 'x-h': '1', authorization: `Bearer ${SECRET}` },
        body: '{"b":[1]}',
      },
      { method: 'PUT', path: '/', body: 'c=1' },
    ]);
    expect(String(item?.['text'])).not.toContain(SECRET);
  });

  it('gives the item of each item, in order, with its link', async () => {
    const result = await run(ONE_REQUEST, { items: [{ id: 1 }, { id: 2 }] });
    expect(json(result)).toEqual([{ path: '/1' }, { path: '/2' }]);
    expect(result.items.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  it('fails its item with the message that it gives, and other items succeed', async () => {
    const source = `
      const next = ({ values: { id } }) => id === 1 ? { fail: 'Not one.' } : { items: [{ ok: id }] };`;
    const items = [{ id: 1 }, { id: 2 }];
    expect((await run(source, { items })).error?.message).toBe('Not one.');
    expect(json(await run(source, { items, continueOnFail: true }))).toEqual([{ error: 'Not one.' }, { ok: 2 }]);
  });

  it('names the place in the app of an exception', async () => {
    const source = 'function next({ params }) {\n  return params.a.b.c;\n}';
    const { error } = await run(source, {}, { scripts: ['shared'] });
    expect(error?.message).toBe(
      'The code of the app cannot use the parameters, or a response: ' +
        'test: kinds.testApp.operations["default"].code.source, line 2',
    );
    expect(error?.description).toContain("TypeError: Cannot read properties of undefined (reading 'b')");
  });

  it('continues after a long delay of the service, without repeating requests and rounds', async () => {
    answer = ({ path }, count) =>
      path === '/b' && count === 2 ? { status: 429, headers: { 'retry-after': '60' }, body: {} } : { body: { path } };
    const source = `
      function next({ state, responses }) {
        const seen = [...(state ?? []), ...responses.map((one) => one.body.path)];
        if (seen.length >= 3) return { items: [{ seen }] };
        const ask = (path) => ({ call: 'api', with: { method: 'POST', path } });
        return { state: seen, requests: seen.length === 0 ? [ask('/a'), ask('/b')] : [ask('/c')] };
      }`;
    const result = await run(source);
    expect(result.waits).toEqual([60_000]);
    expect(requests.map(({ path }) => path)).toEqual(['/a', '/b', '/b', '/c']);
    expect(json(result)).toEqual([{ seen: ['/a', '/b', '/c'] }]);
  });

  describe.each<[string, string, RegExp]>([
    ['that never ends', 'function next() { for (;;) {} }', /took more than 1 s/],
    ['that never ends its wait', 'const next = () => new Promise(() => {});', /never happens/],
    [
      'that never stops asking',
      "const next = ({ state }) => ({ state: (state ?? 0) + 1, requests: [{ call: 'api' }] });",
      /more than 50 rounds/,
    ],
    [
      'that asks for too much at once',
      "const next = () => ({ requests: Array(11).fill({ call: 'api' }) });",
      /asks for 11 requests at once, and at most 10/,
    ],
    [
      'that asks for a call of the app that it does not declare',
      "const next = () => ({ requests: [{ call: 'other' }] });",
      /"other" is not among its `calls`: api/,
    ],
    [
      'that asks for a call with the name of a property',
      "const next = () => ({ requests: [{ call: 'constructor' }] });",
      /not among/,
    ],
    [
      'that asks for another host',
      "const next = () => ({ requests: [{ call: 'api', with: { path: '@evil.example/' } }] });",
      /must begin with a slash/,
    ],
    [
      'that gives an address',
      "const next = () => ({ requests: [{ call: 'api', with: { url: 'https://evil.example' } }] });",
      /unknown field "url"/,
    ],
    [
      'that gives an expression',
      "const next = () => ({ requests: [{ call: 'api', with: { path: '={{ $credential.token }}' } }] });",
      /must begin with a slash: =\{\{/,
    ],
    ['that returns 100 MB', "const next = () => ({ items: [{ text: 'x'.repeat(1e8) }] });", /16 MB|memory/],
    [
      'that uses up its memory',
      'const next = () => { const all = []; for (;;) all.push(new Array(1e5).fill(0)); };',
      /memory|1 s/,
    ],
    ['that returns no object', "const next = () => 'text';", /must return an object/],
    ['that returns nothing', 'const next = () => {};', /must return an object/],
    ['that returns something else', 'const next = () => ({ item: {} });', /unknown field "item"/],
    ['that throws', "const next = () => { throw new Error('own words'); };", /own words/],
    ['that throws what cannot be read', 'const next = () => { throw { get message() { for (;;) {} } }; };', /1 s/],
    ['that imports', "const next = () => import('node:fs');", /cannot use the parameters/],
  ])('with code %s', (_, source, message) => {
    it('fails, sends nothing that is not allowed, and harms no other owner', async () => {
      const other = run(ONE_REQUEST, { items: [{ id: 'n' }], code: sandboxes.of('other') });
      const failed = await run(source);
      expect(`${failed.error?.message} ${failed.error?.description}`).toMatch(message);
      expect(json(await other)).toEqual([{ path: '/n' }]);
      expect(requests.filter(({ path }) => path !== '/n').every(({ path }) => path === '/')).toBe(true);
      expect(requests.length).toBeLessThanOrEqual(51);
      expect(json(await run(ONE_REQUEST, { items: [{ id: 'again' }] }))).toEqual([{ path: '/again' }]);
    }, 30_000);
  });

  it('finds no process, no network, no environment and nothing of the workflow', async () => {
    const source = `
      const next = () => ({ items: [{
        types: [typeof process, typeof fetch, typeof XMLHttpRequest, typeof WebAssembly, typeof global].join(),
        env: JSON.stringify([$env, $vars, $workflow, $execution.id, $parameter, Object.keys($node)]),
        outside: (() => { try { return String($('Source 0')) } catch (error) { return 'none' } })(),
      }] });`;
    const [item] = json(await run(source));
    expect(item).toMatchObject({ types: Array(5).fill('undefined').join(), outside: 'none' });
    expect(String(item?.['env'])).not.toContain('host');
  });

  it('keeps nothing between calls, items, runs and users', async () => {
    const source = `
      globalThis.calls = (globalThis.calls ?? 0) + 1;
      let own = 0;
      Array.prototype.left = (Array.prototype.left ?? 0) + 1;
      function next({ responses }) {
        own += 1;
        next.calls = (next.calls ?? 0) + 1;
        const found = [globalThis.calls, own, next.calls, [].left].join();
        return responses.length === 0 ? { requests: [{ call: 'api' }] } : { items: [{ found }] };
      }`;
    const clean = { found: '1,1,1,1' };
    expect(json(await run(source, { items: [{}, {}] }))).toEqual([clean, clean]);
    expect(json(await run(source))).toEqual([clean]);
    expect(json(await run(source, { code: sandboxes.of('another') }))).toEqual([clean]);
  });
});
