import { field } from '@weft/node-catalogue';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type EchoServer, serveEcho } from '@weft/outbound/testing';
import { type NodeRun, runNode, type Stub } from './testing/run-node';
import type { PageRoots } from '../shared/http/settings';

const TOTAL = 15;

const count = (roots: PageRoots): number => Number(roots['$pageCount']);
const nextUrl: Stub = (_item, roots) => field(field(roots['$response'], 'headers'), 'next-url') ?? '';
const isGone: Stub = (_item, roots) => field(roots['$response'], 'statusCode') === 404;
const skip = (size: number, type?: string, name = 'skip'): Stub => ({
  parameters: [{ ...(type === undefined ? {} : { type }), name, value: (_item, roots) => count(roots) * size }],
});

describe('fetching page by page', () => {
  let server: EchoServer;
  let client: OutboundClient;
  beforeAll(async () => {
    server = await serveEcho((seen, response) => {
      const query = new URL(seen.path, 'http://x').searchParams;
      const body =
        seen.headers['content-type'] === 'application/json'
          ? new Map(Object.entries<unknown>(JSON.parse(seen.body)))
          : new URLSearchParams(seen.body);
      const number = (name: string): number =>
        Number(
          query.get(name) ??
            body.get(name) ??
            seen.headers[`x-${name}`] ??
            /name="skip"\r\n\r\n(\d+)/.exec(seen.body)?.[1] ??
            0,
        );
      const [from, limit] = [number('skip'), number('limit') || 3];
      const entries = Array.from({ length: Math.max(0, Math.min(limit, TOTAL - from)) }, (_, index) => ({
        id: from + index,
      }));
      response
        .writeHead(entries.length === 0 ? 404 : 200, {
          'content-type': seen.headers.accept?.startsWith('text') === true ? 'text/plain' : 'application/json',
          'next-url': `${server.url}/users?skip=${from + limit}&limit=${limit}`,
        })
        .end(JSON.stringify(entries));
    });
    client = createOutboundClient({ allow: ['127.0.0.0/8'] });
  });
  beforeEach(() => {
    server.seen.length = 0;
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });

  const run = (
    pagination: { [key: string]: Stub },
    response: { [key: string]: Stub } = {},
    more: Partial<NodeRun> & { extra?: { [key: string]: Stub } } = {},
  ) =>
    runNode(client, {
      version: 4.1,
      ...more,
      parameters: {
        url: `${server.url}/users`,
        sendQuery: true,
        queryParameters: { parameters: [{ name: 'limit', value: '3' }] },
        options: { pagination: { pagination }, response: { response } },
        ...more.extra,
      },
    });
  const ids = async (...args: Parameters<typeof run>): Promise<unknown[]> =>
    (await run(...args)).map((item) => item.json['id']);
  const upTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index);

  it('stops at the page limit', async () => {
    expect(await ids({ parameters: skip(3), limitPagesFetched: true, maxRequests: 3 })).toEqual(upTo(9));
    expect(await ids({ parameters: skip(3), limitPagesFetched: true, maxRequests: () => 2 })).toEqual(upTo(6));
  });

  it.each([3, 4, 4.5])('requests page after page in version %d', async (version) => {
    const pages = { parameters: skip(3), limitPagesFetched: true, maxRequests: 3 };
    expect(await ids(pages, {}, { version })).toEqual(upTo(9));
  });

  it('stops at an empty response', async () => {
    expect(await ids({ parameters: skip(3) }, { neverError: true })).toEqual(upTo(TOTAL));
    expect(server.seen).toHaveLength(6);
  });

  it('stops at a status that completes the list, which does not count as a failure', async () => {
    expect(
      await ids({
        parameters: skip(3),
        paginationCompleteWhen: 'receiveSpecificStatusCodes',
        statusCodesWhenComplete: '410, 404',
      }),
    ).toEqual(upTo(TOTAL));
  });

  it('stops when the completion expression holds', async () => {
    expect(
      await ids(
        { parameters: skip(3), paginationCompleteWhen: 'other', completeExpression: isGone },
        { neverError: true },
      ),
    ).toEqual(upTo(TOTAL));
  });

  it('counts the pages that have been fetched: none before the first request, one after its response', async () => {
    const counts: number[] = [];
    await run({
      parameters: {
        parameters: [
          {
            name: 'skip',
            value: (_item, roots) => {
              counts.push(count(roots));
              return 0;
            },
          },
        ],
      },
      paginationCompleteWhen: 'other',
      completeExpression: (_item, roots) => count(roots) === 2,
    });
    expect(counts).toEqual([0, 1]);
  });

  it('fails for an unsuccessful status, even if the expression says complete', async () => {
    const pagination = { parameters: skip(3), paginationCompleteWhen: 'other', completeExpression: isGone };
    await expect(run(pagination)).rejects.toMatchObject({ context: { httpCode: '404' } });
    const items = await run(pagination, {}, { continueOnFail: true });
    expect(items).toHaveLength(1);
    expect(items[0]?.json['error']).toMatchObject({ statusCode: 404, isAxiosError: true });
  });

  it('follows the URL in each response, without sending its query twice', async () => {
    expect(
      await ids({
        paginationMode: 'responseContainsNextURL',
        nextURL: nextUrl,
        limitPagesFetched: true,
        maxRequests: 3,
      }),
    ).toEqual(upTo(9));
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/users?limit=3',
      '/users?skip=3&limit=3',
      '/users?skip=6&limit=3',
    ]);
  });

  it('outputs an item for each page of text, including the last, with headers and status if configured', async () => {
    const pagination = {
      paginationMode: 'responseContainsNextURL',
      nextURL: nextUrl,
      paginationCompleteWhen: 'receiveSpecificStatusCodes',
      statusCodesWhenComplete: '404',
    };
    const texts = await run(pagination, { responseFormat: 'text', neverError: true });
    expect(texts).toHaveLength(6);
    expect(texts.at(-1)?.json).toEqual({ data: '[]' });
    const full = await run(pagination, { responseFormat: 'text', neverError: true, fullResponse: true });
    expect(full.map((item) => item.json['statusCode'])).toEqual([200, 200, 200, 200, 200, 404]);
  });

  it.each<[string, { [key: string]: Stub }, Stub]>([
    ['a header', {}, skip(3, 'headers', 'X-Skip')],
    [
      'a JSON field',
      { method: 'POST', sendBody: true, bodyParameters: { parameters: [{ name: 'skip', value: 99 }] } },
      skip(3, 'body'),
    ],
    [
      'a form field',
      {
        method: 'POST',
        sendBody: true,
        contentType: 'form-urlencoded',
        bodyParameters: { parameters: [{ name: 'skip', value: 99 }] },
      },
      skip(3, 'body'),
    ],
    [
      'a multipart field',
      {
        method: 'POST',
        sendBody: true,
        contentType: 'multipart-form-data',
        bodyParameters: { parameters: [{ name: 'skip', value: 99 }] },
      },
      skip(3, 'body'),
    ],
  ])('changes %s', async (_what, extra, parameters) => {
    expect(await ids({ parameters, limitPagesFetched: true, maxRequests: 3 }, {}, { extra })).toEqual(upTo(9));
  });

  it('leaves a value that needs a response out of the first request', async () => {
    const value: Stub = (_item, roots) => {
      const last: unknown = field(roots['$response'], 'body');
      if (!Array.isArray(last)) throw new Error('There is no body.');
      return Number(field(last.at(-1), 'id')) + 1;
    };
    expect(
      await ids({ parameters: { parameters: [{ name: 'skip', value }] }, limitPagesFetched: true, maxRequests: 3 }),
    ).toEqual(upTo(9));
    expect(server.seen[0]?.path).toBe('/users?limit=3');
  });

  it('exposes the request to expressions without its credential', async () => {
    const roots: PageRoots[] = [];
    await run(
      {
        parameters: skip(3),
        paginationCompleteWhen: 'other',
        completeExpression: (_item, now) => {
          roots.push(now);
          return true;
        },
      },
      {},
      {
        extra: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
        credentials: { httpHeaderAuth: { name: 'x-key', value: 's3cret' } },
      },
    );
    expect(roots[0]?.['$request']).toMatchObject({
      method: 'GET',
      url: `${server.url}/users`,
      qs: { limit: '3', skip: 0 },
    });
    expect(JSON.stringify(roots)).not.toContain('s3cret');
    expect(server.last().headers['x-key']).toBe('s3cret');
  });

  it('waits between pages', async () => {
    const sleeps: number[] = [];
    await run(
      { parameters: skip(3), limitPagesFetched: true, maxRequests: 3, requestInterval: 700 },
      {},
      { onSleep: (ms) => sleeps.push(ms) },
    );
    expect(sleeps).toEqual([700, 700]);
  });

  it('gives each page with side effects a separate key', async () => {
    const pagination = { parameters: skip(3), limitPagesFetched: true, maxRequests: 3 };
    const options = { pagination: { pagination }, sendIdempotencyKey: true };
    await run({}, {}, { extra: { method: 'POST', options } });
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  it('fails when five consecutive responses are equal', async () => {
    const items = await run(
      { parameters: { parameters: [{ name: 'does_not_matter', value: '0' }] } },
      {},
      { continueOnFail: true },
    );
    expect(items).toHaveLength(1);
    expect(items[0]?.json['error']).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringContaining('identical'),
    });
    expect(server.seen).toHaveLength(5);
  });

  it('fails when the next URL is invalid', async () => {
    const items = await run(
      { paginationMode: 'responseContainsNextURL', limitPagesFetched: true, maxRequests: 2 },
      {},
      { continueOnFail: true },
    );
    expect(items.map((item) => item.json)).toEqual([
      {
        error: {
          message: "'' is not a valid URL.",
          name: 'NodeOperationError',
          description: 'Make sure the "Next URL" parameter evaluates to a valid URL.',
          context: {},
        },
      },
    ]);
    await expect(run({ paginationMode: 'responseContainsNextURL', nextURL: 'file:///etc/passwd' })).rejects.toThrow(
      'is not a valid URL',
    );
    await expect(run({ paginationMode: 'responseContainsNextURL', nextURL: 'http://10.0.0.1/' })).rejects.toThrow(
      'private-address',
    );
  });

  it('makes one request when it is off or absent', async () => {
    expect(await ids({ paginationMode: 'off', parameters: skip(3) })).toEqual(upTo(3));
    expect(server.seen).toHaveLength(1);
  });

  it('rejects a parameter without a name', async () => {
    await expect(run({ parameters: { parameters: [{ name: '', value: '1' }] } })).rejects.toThrow(
      'Parameter 1 of the pagination settings has no name',
    );
  });
});
