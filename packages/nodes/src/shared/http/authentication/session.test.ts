import type { JsonObject, SessionRule } from '@weft/node-catalogue';
import type { OutboundRequest, OutboundResponse } from '@weft/outbound';
import { sessionExchange } from './session';
import { TokenCache } from './token-cache';

const RULE: SessionRule = {
  url: '{host}/login',
  body: { name: '{username}', word: '{password}' },
  tokenField: 'token',
  scheme: 'JWT',
};
const DATA: JsonObject = { host: 'https://a.example/', username: 'ada', password: 'hunter22' };
const request: OutboundRequest = {
  method: 'GET',
  url: 'https://a.example/rows',
  headers: [],
  timeoutMs: 1_000,
  maxResponseBytes: 1_000,
  followRedirects: false,
  allowUnauthorizedCerts: false,
};

describe('a session', () => {
  let now: number;
  let hidden: string[];
  let seen: OutboundRequest[];
  let answer: (seen: OutboundRequest) => { status: number; body: string };
  beforeEach(() => {
    now = 0;
    hidden = [];
    seen = [];
    answer = ({ url }) => ({ status: 200, body: url.endsWith('/login') ? `{"token":"token-${seen.length}"}` : '{}' });
  });

  const send = async (one: OutboundRequest): Promise<OutboundResponse> => {
    seen.push(one);
    const { status, body } = answer(one);
    return { status, statusText: '', headers: {}, body: Buffer.from(body), url: one.url };
  };
  const exchange = (data = DATA, tokens = new TokenCache(10)) =>
    sessionExchange('anApi', RULE, data, { now: () => now, hide: (secret) => hidden.push(secret) }, tokens);
  const authorizations = (): (string | undefined)[] =>
    seen.map(({ headers = [] }) => headers.find(([name]) => name === 'Authorization')?.[1]);

  it('is exchanged for a token that later requests share', async () => {
    const work = exchange();
    await work(request, send);
    await work(request, send);
    expect(seen.map(({ url, body }) => [url, String(body ?? '')])).toEqual([
      ['https://a.example/login', '{"name":"ada","word":"hunter22"}'],
      ['https://a.example/rows', ''],
      ['https://a.example/rows', ''],
    ]);
    expect(authorizations()).toEqual([undefined, 'JWT token-1', 'JWT token-1']);
    expect(hidden).toContain('token-1');
  });

  it('is renewed after some minutes, and once after a 401', async () => {
    const work = exchange();
    await work(request, send);
    now = 10 * 60_000;
    await work(request, send);
    expect(authorizations()).toEqual([undefined, 'JWT token-1', undefined, 'JWT token-3']);
    answer = ({ url }) => ({ status: url.endsWith('/login') ? 200 : 401, body: '{"token":"next"}' });
    expect((await work(request, send)).status).toBe(401);
    expect(authorizations().slice(4)).toEqual(['JWT token-3', undefined, 'JWT next']);
  });

  it('is not shared by credentials with other data', async () => {
    const tokens = new TokenCache(10);
    await exchange(DATA, tokens)(request, send);
    await exchange({ ...DATA, password: 'other' }, tokens)(request, send);
    expect(authorizations()).toEqual([undefined, 'JWT token-1', undefined, 'JWT token-3']);
  });

  it.each([
    [{ status: 401, body: '{"token":"x","detail":"hunter22"}' }],
    [{ status: 200, body: '{"token":7}' }],
    [{ status: 200, body: 'hunter22' }],
  ])('fails for the answer %j, of which the message has the status only', async (given) => {
    answer = () => given;
    await expect(exchange()(request, send)).rejects.toThrow(
      new RegExp(`^The service gave no token for the credential of type anApi \\(status ${given.status}\\)\\.$`),
    );
  });

  it('needs an address', () => {
    expect(() => exchange({ ...DATA, host: 'a.example' })).toThrow('has no URL');
  });
});
