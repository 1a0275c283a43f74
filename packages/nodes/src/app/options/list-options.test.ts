import type { AppDocument, AppList } from '@weft/app-model';
import { kindsOf } from '@weft/app-model/check';
import type { SeenRequest } from '@weft/outbound/testing';
import { listOptions, type OptionsRequest, type OptionsResult } from './list-options';
import { type ServiceAnswer, testService } from '../testing/test-service';

const SECRET = 'sk-very-secret-value';

describe('options of a parameter', () => {
  let requests: SeenRequest[];
  let answer: (seen: SeenRequest) => ServiceAnswer | undefined;
  const server = testService((seen) => {
    requests.push(seen);
    return answer(seen);
  });
  beforeEach(() => {
    requests = [];
    answer = () => ({ body: { rooms: [] } });
  });

  const appWith = (list: Partial<AppList> = {}): AppDocument => ({
    weftApp: 1,
    name: 'test',
    label: 'Test',
    hosts: ['127.0.0.1'],
    credentials: { httpBearerAuth: 'catalogue' },
    calls: { api: { url: server.url } },
    pages: { cursor: { by: 'cursor', next: 'next', into: 'query.cursor', size: { into: 'query.limit', max: 500 } } },
    lists: { rooms: { call: 'api', path: '/rooms', list: 'rooms', label: 'name', value: 'id', ...list } },
    kinds: {
      testApp: {
        label: 'Test',
        description: 'Test.',
        versions: [1, 2],
        groups: ['input'],
        credentials: [{ type: 'httpBearerAuth' }],
        parameters: [
          { name: 'room', label: 'Room', type: 'string', list: 'rooms' },
          { name: 'house', label: 'House', type: 'string', default: 'h1' },
        ],
        operations: { default: { call: 'api' } },
      },
    },
  });
  const ask = (app: AppDocument, over: Partial<OptionsRequest> = {}, ms?: number): Promise<OptionsResult> => {
    const [descriptor] = kindsOf(app);
    if (descriptor === undefined) throw new Error('no kind');
    const request: OptionsRequest = {
      version: undefined,
      list: 'rooms',
      parameters: {},
      credential: { type: 'httpBearerAuth', data: { token: SECRET } },
      search: '',
      cursor: '',
      ...over,
    };
    const ports = { http: server.client, now: () => 0, sleep: () => Promise.resolve() };
    return listOptions({ app, descriptor }, request, ports, new AbortController().signal, ms);
  };
  const rooms = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ id: `R${from + index}`, name: `Room ${from + index}` }));

  it('are those of the service, sent with the credential', async () => {
    answer = () => ({ body: { rooms: [{ id: 'R1', name: 'Red' }, { id: 2, name: '' }, { name: 'no value' }] } });
    expect(await ask(appWith())).toEqual({
      kind: 'options',
      options: [
        { label: 'Red', value: 'R1' },
        { label: '2', value: 2 },
      ],
      nextCursor: '',
    });
    expect(requests[0]?.headers['authorization']).toBe(`Bearer ${SECRET}`);
  });

  it('depend on the parameters of the node; those with expressions are not known', async () => {
    const path = "={{ '/' + ($p.house ?? 'none') }}";
    await ask(appWith({ path }), { parameters: { house: 'h7' } });
    await ask(appWith({ path }), { parameters: { house: '={{ $json.house }}' } });
    expect(requests.map((one) => one.path)).toEqual(['/h7', '/h1']);
    const refuse = [{ when: "={{ $p.house === 'h1' }}", message: 'Choose a house first.' }];
    expect(await ask(appWith({ refuse }))).toMatchObject({ kind: 'refused', message: 'Choose a house first.' });
  });

  it('come in pages of at most 100, which a cursor continues', async () => {
    answer = ({ path }) => ({
      body: path.includes('cursor=two') ? { rooms: rooms(3, 150) } : { rooms: rooms(150), next: 'two' },
    });
    const seen: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const result = await ask(appWith({ pages: 'cursor' }), { cursor });
      if (result.kind !== 'options') throw new Error(result.message);
      seen.push(result.options.length);
      cursor = result.nextCursor;
    }
    expect(seen).toEqual([100, 50, 3]);
    expect(cursor).toBe('');
    expect(requests[0]?.path).toBe('/rooms?limit=100');
  });

  it('are searched in the labels, over several pages of the service', async () => {
    answer = ({ path }) => ({
      body: path.includes('cursor=two') ? { rooms: [{ id: 'B', name: 'Blue' }] } : { rooms: rooms(5), next: 'two' },
    });
    const result = await ask(appWith({ pages: 'cursor', search: 'here' }), { search: 'bLU' });
    expect(result).toMatchObject({ options: [{ label: 'Blue', value: 'B' }], nextCursor: '' });
  });

  it('are not searched without end', async () => {
    answer = () => ({ body: { rooms: rooms(1), next: 'again' } });
    const result = await ask(appWith({ pages: 'cursor', search: 'here' }), { search: 'nothing' });
    expect(requests).toHaveLength(10);
    expect(result).toMatchObject({ options: [], nextCursor: expect.stringMatching(/./) });
  });

  it('need steps first if the list has some', async () => {
    answer = ({ path }) => ({ body: path === '/houses' ? { id: 9 } : { rooms: rooms(1) } });
    await ask(
      appWith({ steps: [{ as: 'house', call: 'api', path: '/houses' }], path: "={{ '/' + $steps.house.body.id }}" }),
    );
    expect(requests.map((one) => one.path)).toEqual(['/houses', '/9']);
  });

  it.each<[string, Partial<OptionsRequest>, string]>([
    ['an unknown list', { list: 'other' }, 'has no list with this name. Its lists: rooms.'],
    ['a list named like a property of objects', { list: 'constructor' }, 'has no list with this name'],
    ['no credential', { credential: undefined }, 'A credential of one of these types is required: httpBearerAuth.'],
    ['a credential of another type', { credential: { type: 'slackApi', data: {} } }, 'one of these types'],
    ['a cursor that no answer gave', { cursor: 'nonsense' }, 'must be the `nextCursor`'],
    ['a cursor with an object', { cursor: Buffer.from('{"skip":0,"next":{}}').toString('base64url') }, '`nextCursor`'],
  ])('are refused for %s, without a request', async (_what, over, message) => {
    expect(await ask(appWith(), over)).toMatchObject({ kind: 'refused', message: expect.stringContaining(message) });
    expect(requests).toEqual([]);
  });

  it('are refused with the message of the service, without a secret', async () => {
    const calls = { api: { url: server.url, errors: [{ message: '={{ $response.body.message }}' }] } };
    answer = ({ headers }) => ({ status: 403, body: { message: `No ${String(headers['authorization'])}` } });
    const refused = await ask({ ...appWith(), calls });
    expect(refused).toMatchObject({ kind: 'refused', field: 'list', message: expect.stringContaining('No ') });
    answer = ({ headers }) => ({ body: { rooms: [{ id: 1, name: headers['authorization'] }] } });
    expect(JSON.stringify([refused, await ask(appWith())])).not.toContain(SECRET);
  });

  it('are not waited for longer than the limit', async () => {
    answer = () => undefined;
    expect(await ask(appWith(), {}, 200)).toMatchObject({ message: 'Test did not answer within 0.2 s.' });
    answer = () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} });
    expect(await ask(appWith())).toMatchObject({ kind: 'refused' });
    expect(requests).toHaveLength(2);
  });

  it('come from no host that the app does not declare', async () => {
    const app = { ...appWith(), hosts: ['api.other.example'] };
    expect(await ask(app)).toMatchObject({ kind: 'refused', message: expect.stringContaining('does not declare') });
    expect(requests).toEqual([]);
  });
});
