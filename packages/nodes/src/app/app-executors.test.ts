import type { AppCall, AppDocument, AppOperation } from '@weft/app-model';
import type { Json } from '@weft/node-catalogue';
import { createOutboundClient } from '@weft/outbound';
import type { SeenRequest } from '@weft/outbound/testing';
import { type AppTestRun, runAppKind } from './testing/run-app';
import { type ServiceAnswer, testService } from './testing/test-service';

const SECRET = 'sk-very-secret-value';

describe('an app', () => {
  let answer: (seen: SeenRequest, count: number) => ServiceAnswer;
  let requests: SeenRequest[];
  const server = testService((seen) => {
    requests.push(seen);
    return answer(seen, requests.length);
  });
  beforeEach(() => {
    requests = [];
    answer = () => ({ body: { ok: true } });
  });

  const appWith = (
    operation: Partial<AppOperation>,
    call: Partial<AppCall> = {},
    hosts = ['127.0.0.1'],
    limit?: number,
  ): AppDocument => ({
    weftApp: 1,
    name: 'test',
    label: 'Test',
    hosts,
    credentials: { httpBearerAuth: 'catalogue' },
    calls: { api: { url: server.url, ...call } },
    pages: {
      page: { by: 'page', into: 'query.page', size: { into: 'query.size', max: 2 } },
      offset: { by: 'offset', into: 'query.skip', size: { into: 'query.size', max: 2 } },
      url: { by: 'nextUrl', next: 'next' },
      link: { by: 'linkHeader' },
    },
    kinds: {
      testApp: {
        label: 'Test',
        description: 'Test.',
        versions: [1],
        groups: ['input'],
        credentials: [{ type: 'httpBearerAuth' }],
        parameters: [
          { name: 'a', label: 'A', type: 'json' },
          { name: 'limit', label: 'Limit', type: 'number', ...(limit === undefined ? {} : { default: limit }) },
          { name: 'title', label: 'Title', type: 'string' },
        ],
        operations: { default: { call: 'api', ...operation } },
      },
    },
  });
  const run = (app: AppDocument, over: Partial<AppTestRun> = {}) =>
    runAppKind({ app, http: server.client, credential: { token: SECRET }, ...over });
  const json = (result: Awaited<ReturnType<typeof run>>) => result.items.map((item) => item.json);

  it('sends a request for each item, ten at a time, and keeps their order', async () => {
    answer = ({ path }) => ({ body: { path } });
    const items = Array.from({ length: 25 }, (_, id) => ({ id }));
    const result = await run(appWith({ path: '={{ "/" + $json.id }}' }), { items });
    expect(json(result)).toEqual(items.map(({ id }) => ({ path: `/${id}` })));
    expect(result.items.map((item) => item.pairedItem)).toEqual(items.map((_, item) => ({ item })));
  });

  it.each([
    [undefined, 'a%5B0%5D=1&a%5B1%5D=2'],
    ['brackets', 'a%5B%5D=1&a%5B%5D=2'],
    ['repeat', 'a=1&a=2'],
  ] as const)('sends lists in forms as the call says: %s', async (lists, body) => {
    const call = lists === undefined ? {} : { lists };
    await run(appWith({ method: 'POST', form: true, body: { a: [1, 2] } }, call));
    expect(requests).toMatchObject([{ body }]);
  });

  it('fails with the path of an expression that fails, instead of leaving a field out', async () => {
    const result = await run(appWith({ body: { name: '={{ $p.a.b.c }}' } }), { parameters: { a: {} } });
    expect(result.error?.message).toBe(
      'The app cannot use a parameter of the node: test: kinds.testApp.operations["default"].body.name',
    );
    expect(result.error?.description).toContain("Cannot read properties of undefined (reading 'c')");
    expect(requests).toEqual([]);
  });

  it('blames the service, not the node, for a response that its file does not expect', async () => {
    const result = await run(appWith({ item: '={{ $response.body.user.name }}' }));
    expect(result.error?.message).toBe(
      'The response of the service is not what the app expects: test: kinds.testApp.operations["default"].item',
    );
  });

  it('sees nothing of the environment and of other nodes', async () => {
    const app = appWith({ query: { env: '={{ $env.SECRET_OF_HOST ?? "none" }}' } });
    await run(app);
    expect(requests[0]?.path).toBe('/?env=none');
    expect((await run(appWith({ query: { x: "={{ $('Source 0').item.json }}" } }))).error?.description).toContain(
      "Referenced node doesn't exist",
    );
  });

  it('refuses a list or an object where its file declares text', async () => {
    const app = appWith({ body: { title: '={{ $p.title.trim() }}' } });
    const titled = async (title: Json) => (await run(app, { parameters: { title } })).error?.message;
    expect(await titled(['a'])).toBe('"Title" must be text, not a list.');
    expect(await titled('={{ $json }}')).toBe('"Title" must be text, not an object.');
    expect(requests).toEqual([]);
  });

  it('refuses an item before any request', async () => {
    const refuse = [{ when: '={{ $p.a === 1 }}', message: '={{ "No " + $p.a + "." }}' }];
    expect((await run(appWith({ refuse }), { parameters: { a: 1 } })).error?.message).toBe('No 1.');
    expect(requests).toEqual([]);
  });

  describe('hosts', () => {
    it('that it does not declare get no request', async () => {
      const result = await run(appWith({}, {}, ['api.other.example']));
      expect(result.error?.message).toContain('does not declare');
      expect(requests).toEqual([]);
    });

    it('come from no parameter', async () => {
      const url = '={{ $p.a }}';
      const result = await run(appWith({}, { url }), { parameters: { a: 'http://localhost:9/' } });
      expect(result.error?.message).toContain('does not declare');
    });

    it('that a path tries to change get no request', async () => {
      for (const a of ['.evil.example/', '@evil.example/', ':80@evil.example/'])
        expect((await run(appWith({ path: '={{ $p.a }}' }), { parameters: { a } })).error?.message).toContain('slash');
      expect(requests).toEqual([]);
    });

    it('that a redirect leads to get no request', async () => {
      answer = () => ({ status: 302, headers: { location: `http://localhost:${server.port}/x` }, body: {} });
      const result = await run(appWith({}));
      expect(result.error?.message).toContain('"localhost"');
      expect(requests).toHaveLength(1);
    });

    it('get a credential only if they are those of its type', async () => {
      const app: AppDocument = { ...appWith({}), credentials: { slackApi: 'catalogue' } };
      const kind = app.kinds['testApp'];
      if (kind === undefined) throw new Error('no kind');
      const stolen = { ...app, kinds: { testApp: { ...kind, credentials: [{ type: 'slackApi' }] } } };
      const result = await run(stolen, { credential: { accessToken: SECRET } });
      expect(result.error?.message).toContain('The credential of type slackApi is only sent to slack.com');
      expect(requests).toEqual([]);
    });
  });

  describe('the host in a credential', () => {
    const ownServer = (url: string): AppDocument => {
      const kind = appWith({}).kinds['testApp'];
      if (kind === undefined) throw new Error('no kind');
      return {
        ...appWith({}, { url }, ['$credential.baseUrl']),
        credentials: { mattermostApi: 'catalogue' },
        kinds: { testApp: { ...kind, credentials: [{ type: 'mattermostApi' }] } },
      };
    };
    const of = (baseUrl: string) => ({ credential: { baseUrl, accessToken: SECRET } });

    it('gets the requests of the app, with the credential', async () => {
      await run(ownServer('={{ $credential.baseUrl }}'), of(`${server.url}/`));
      expect(requests.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${SECRET}`]);
    });

    it('is the only one: no other host and no other port', async () => {
      for (const url of ['http://localhost:1', `http://127.0.0.1:${server.port + 1}`])
        expect((await run(ownServer(url), of(server.url))).error?.message).toContain('is only sent to');
      answer = () => ({ status: 302, headers: { location: `http://localhost:${server.port}/x` }, body: {} });
      const redirected = await run(ownServer('={{ $credential.baseUrl }}'), of(server.url));
      expect(redirected.error?.message).toContain('does not declare');
      expect(requests).toHaveLength(1);
    });

    it('must be the host of a URL', async () => {
      for (const baseUrl of ['', '*.example', 'file:///etc/passwd'])
        expect((await run(ownServer('={{ $credential.baseUrl }}'), of(baseUrl))).error?.message).toBeDefined();
      expect(requests).toEqual([]);
    });
  });

  it('sends only the fields of a collection that it has', async () => {
    const app = appWith({ query: { '...': '={{ $p.more }}' } });
    const kind = app.kinds['testApp'];
    if (kind === undefined) throw new Error('no kind');
    const more = {
      name: 'more',
      label: 'M',
      type: 'collection' as const,
      fields: [{ name: 'x', label: 'X', type: 'string' as const }],
    };
    await run(
      { ...app, kinds: { testApp: { ...kind, parameters: [more] } } },
      { parameters: { more: { x: 1, y: 2 } } },
    );
    expect(requests[0]?.path).toBe('/?x=1');
  });

  it('shows no secret that a service echoes, in items, messages and descriptions', async () => {
    answer = ({ headers }) => ({ body: { echoed: headers['authorization'] } });
    expect(JSON.stringify(await run(appWith({})))).not.toContain(SECRET);
    answer = ({ headers }) => ({ status: 400, body: { message: `Bad ${String(headers['authorization'])}` } });
    const call = { errors: [{ message: '={{ $response.body.message }}' }] };
    const failed = await run(appWith({}, call));
    expect(failed.error?.message).toContain('Bad');
    expect(JSON.stringify(failed)).not.toContain(SECRET);
    expect(requests[0]?.headers['authorization']).toBe(`Bearer ${SECRET}`);
  });

  it('cannot read a secret of its credential', async () => {
    await run(appWith({ query: { names: '={{ Object.keys($credential).join() }}' } }));
    expect(requests[0]?.path).not.toContain('token');
    expect(requests[0]?.path).not.toContain(SECRET);
  });

  describe('a failed response', () => {
    it('has the message of the first entry that holds', async () => {
      answer = () => ({ body: { ok: false, code: 2 } });
      const errors = [
        { when: '={{ $response.body.code === 1 }}', message: 'one' },
        { message: '={{ "code " + $response.body.code }}' },
      ];
      const result = await run(appWith({}, { failed: '={{ !$response.body.ok }}', errors }));
      expect(result.error?.message).toBe('code 2');
    });

    it('counts as a success if an entry ignores it', async () => {
      answer = () => ({ status: 404, body: { none: true } });
      const errors = [{ when: '={{ $response.status === 404 }}', ignore: true as const }];
      expect(json(await run(appWith({}, { errors })))).toEqual([{ none: true }]);
    });

    it('that is not JSON has the message of its status', async () => {
      answer = () => ({ status: 502, body: '<html>' });
      expect((await run(appWith({}))).error?.message).toBe('Bad gateway - the service failed to handle your request');
    });
  });

  describe('a service that asks for a delay', () => {
    const limited =
      (retryAfter: string, times: number): typeof answer =>
      (_seen, count) =>
        count <= times ? { status: 429, headers: { 'retry-after': retryAfter }, body: {} } : { body: { count } };

    it('of up to 10 s gets the request again after it', async () => {
      answer = limited('10', 2);
      const result = await run(appWith({}, { method: 'POST' }));
      expect(result).toMatchObject({ sleeps: [10_000, 10_000], waits: [] });
      expect(json(result)).toEqual([{ count: 3 }]);
    });

    it('without a duration gets it after 1 s, doubled each time, six times in all', async () => {
      answer = () => ({ status: 503, body: {} });
      const result = await run(appWith({}));
      expect(result.sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
      expect(result.waits).toEqual([]);
      expect(requests).toHaveLength(6);
      expect(result.error?.message).toContain('Service unavailable');
    });

    it('of more than 10 s is waited for without a slot, and finished items are not sent again', async () => {
      answer = ({ path }, count) =>
        path === '/1' && count < 4 ? { status: 429, headers: { 'retry-after': '60' }, body: {} } : { body: { path } };
      const result = await run(appWith({ path: '={{ "/" + $json.id }}' }), {
        items: [{ id: 0 }, { id: 1 }, { id: 2 }],
      });
      expect(result.waits).toEqual([60_000]);
      expect(json(result)).toEqual([{ path: '/0' }, { path: '/1' }, { path: '/2' }]);
      expect(requests.map(({ path }) => path).sort()).toEqual(['/0', '/1', '/1', '/2']);
      expect(result.items.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
    });

    it('is not asked to repeat the steps that are done', async () => {
      answer = ({ path }, count) =>
        path === '/b' && count === 2 ? { status: 429, headers: { 'retry-after': '30' }, body: {} } : { body: { path } };
      const { call: _call, ...rest } = appWith({}).kinds['testApp']?.operations?.['default'] ?? {};
      const app = appWith({});
      const kind = app.kinds['testApp'];
      if (kind === undefined) throw new Error('no kind');
      const steps = [
        { as: 'one', call: 'api', method: 'POST' as const, path: '/a' },
        { as: 'two', call: 'api', method: 'POST' as const, path: '/b' },
      ];
      const item = '={{ [$steps.one.body.path, $steps.two.body.path] }}';
      const stepped = {
        ...app,
        kinds: { testApp: { ...kind, operations: { default: { ...rest, steps, item: { all: item } } } } },
      };
      const result = await run(stepped);
      expect(requests.map(({ path }) => path)).toEqual(['/a', '/b', '/b']);
      expect(json(result)).toEqual([{ all: ['/a', '/b'] }]);
    });

    it('fails its item after five waits, or a quarter of an hour', async () => {
      answer = limited('60', 100);
      expect(await run(appWith({}))).toMatchObject({
        waits: [60_000, 60_000, 60_000, 60_000, 60_000],
        error: { message: 'The service is receiving too many requests from you' },
      });
      answer = limited('1000', 100);
      expect(await run(appWith({}))).toMatchObject({
        waits: [],
        error: { message: expect.stringContaining('too many') },
      });
    });
  });

  describe('a list', () => {
    const pets = Array.from({ length: 5 }, (_, id) => ({ id }));

    it.each(['page', 'offset'])(
      'by %s is fetched up to the limit, and ends with a page that is not full',
      async (pages) => {
        answer = ({ path }) => {
          const query = new URL(path, server.url).searchParams;
          const size = Number(query.get('size'));
          const skip = pages === 'page' ? (Number(query.get('page')) - 1) * 2 : Number(query.get('skip'));
          return { body: { pets: pets.slice(skip, skip + size) } };
        };
        expect(json(await run(appWith({ pages, list: 'pets' }), { parameters: { limit: 10 } }))).toEqual(pets);
        expect(requests).toHaveLength(3);
        expect(json(await run(appWith({ pages, list: 'pets' }), { parameters: { limit: 3 } }))).toEqual(
          pets.slice(0, 3),
        );
      },
    );

    it('by the next address is fetched to the last page, and not from another host', async () => {
      answer = ({ path }) => ({ body: { pets: [{ path }], ...(path === '/?n=2' ? {} : { next: '/?n=2' }) } });
      expect(json(await run(appWith({ pages: 'url', list: 'pets' })))).toEqual([{ path: '/' }, { path: '/?n=2' }]);
      answer = () => ({ body: { pets: [], next: `http://localhost:${server.port}/` } });
      expect((await run(appWith({ pages: 'url', list: 'pets' }))).error?.message).toContain('does not declare');
    });

    it('by the Link header is fetched to the last page', async () => {
      answer = ({ path }) => ({
        ...(path === '/' ? { headers: { link: '</?a>; rel="prev", </?n=2>; rel="next"' } } : {}),
        body: { pets: [{ path }] },
      });
      expect(json(await run(appWith({ pages: 'link', list: 'pets' })))).toEqual([{ path: '/' }, { path: '/?n=2' }]);
    });

    it.each([
      ["={{ 'many' }}", 'not "many"'],
      ['={{ Number("many") }}', 'not NaN'],
      ['={{ 1 / 0 }}', 'not Infinity'],
      [-1, 'not -1'],
      [{ count: 5 }, 'not {"count":5}'],
    ])('is not fetched without an end if its limit is %j', async (limit, shown) => {
      const result = await run(appWith({ pages: 'page', list: 'pets' }), { parameters: { limit } });
      expect(result.error?.message).toBe(`"Limit" must be a number of at least 0, ${shown}.`);
      expect(requests).toEqual([]);
    });

    it.each([
      ['', 4],
      [{}, 4],
      [null, 4],
      ['={{ undefined }}', 4],
      ['={{ $json.count }}', 2],
      [' 3 ', 3],
    ])('with the limit %j has the default or the number of entries, also in templates', async (limit, count) => {
      answer = () => ({ body: { pets } });
      const app = appWith({ query: { max: '={{ $p.limit }}' }, list: 'pets' }, {}, undefined, 4);
      const result = await run(app, { parameters: { limit }, items: [{ count: '2' }] });
      expect(json(result)).toEqual(pets.slice(0, count));
      expect(requests).toMatchObject([{ path: `/?max=${count}` }]);
    });

    it('that never ends is given up', async () => {
      answer = () => ({ body: { pets: [{}], next: '/same' } });
      const result = await run(appWith({ pages: 'url', list: 'pets' }), { parameters: { limit: 1_000 } });
      expect(result.error?.message).toContain('identical');
    });
  });

  it('sends a request again after a broken connection only if it changes nothing', async () => {
    const dead = createOutboundClient({ allow: ['127.0.0.1:1'] });
    const at = (method: 'GET' | 'POST') => run(appWith({}, { url: 'http://127.0.0.1:1', method }), { http: dead });
    expect((await at('POST')).sleeps).toEqual([]);
    expect((await at('GET')).sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    dead.close();
  });

  it('outputs the failure of an item that fails if the node continues', async () => {
    answer = ({ path }) => (path === '/1' ? { status: 404, body: {} } : { body: { path } });
    const result = await run(appWith({ path: '={{ "/" + $json.id }}' }), {
      items: [{ id: 0 }, { id: 1 }],
      continueOnFail: true,
    });
    expect(json(result)).toEqual([{ path: '/0' }, { error: 'The resource you are requesting could not be found' }]);
  });
});
