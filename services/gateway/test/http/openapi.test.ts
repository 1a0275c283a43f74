import { breaks, checkExamples } from '@weft/api-contract';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ROOT, ROUTES } from '../../src/handlers/routes';
import { makeDocument, reasonsOfRoute } from '../../src/openapi/document';
import { REASONS } from '../../src/openapi/reasons';
import { slugOf } from '../../src/openapi/reference-parts';
import { TAGS } from '../../src/openapi/route-doc';
import { startGateway, type TestGateway } from '../support/start-gateway';

const ROOT = join(__dirname, '../../../../..');
const DOCUMENT = makeDocument(ROUTES);

/** Reasons for which no operation of the API is refused, each with the place where it occurs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  ENDPOINT_NOT_FOUND: 'a path or method that is not an operation',
  WEBHOOK_NOT_FOUND: 'webhooks',
  WEBHOOK_ANSWER_LATE: 'webhooks',
  TOO_MANY_DELIVERIES: 'webhooks',
  CLIENT_OVER_SHARE: 'webhooks and forms',
  TOO_MANY_UPLOADS: 'webhooks and forms',
  RESUME_TOKEN_UNKNOWN: 'runs that wait',
  EXECUTION_NOT_WAITING_YET: 'runs that wait',
  SET_UP_DONE: 'the settings page',
  SIGN_IN_REFUSED: 'the settings page',
  LOGIN_ATTEMPT_INVALID: 'the console',
  LOGIN_REFUSED: 'the console',
  WORKFLOW_CALL_REFUSED: 'runners',
  CHUNK_NOT_FOUND: 'runners',
  CLAIM_LOST: 'runners',
  FILE_NOT_FOUND: 'runners, and gRPC',
  EXECUTION_OVERLAPS: 'services',
  EXECUTION_ID_TAKEN: 'services',
};

const pageRows = [
  ...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \| ([a-z-]+) \| \d+ \|/gm),
].map(([, reason = '', kind = '']) => [reason, kind] as const);

describe('the OpenAPI document', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('is served without a key, to pages of any origin, with an ETag', async () => {
    const { status, json, headers } = await gateway.api('GET', '/openapi.json', { key: null });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(json).toEqual(JSON.parse(JSON.stringify(DOCUMENT)));
    const etag = headers.get('etag') ?? '';
    const again = await gateway.api('GET', '/openapi.json', { key: null, headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has at most 800 KB', () => {
    expect(JSON.stringify(DOCUMENT).length).toBeLessThan(800_000);
  });

  it('has examples of all bodies, which their schemas accept', () => {
    const { count, faults } = checkExamples(JSON.parse(JSON.stringify(DOCUMENT)));
    const bodies = ROUTES.flatMap(({ request, doc }) => [
      ...(request === undefined ? [] : [request]),
      ...Object.values(doc.answers).filter(({ body }) => body !== undefined),
    ]);
    expect([count, faults]).toEqual([bodies.length, []]);
  });

  it('has an operation for each route, named after its handler', () => {
    const { paths } = JSON.parse(JSON.stringify(DOCUMENT));
    const written = Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    const rows = ROUTES.map(
      ({ method, path, handler }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')} ${handler.name}`,
    );
    expect(written.sort()).toEqual(rows.sort());
  });

  it.each(
    ROUTES.filter(({ body }) => body !== 'none').map((route) => [`${route.method} ${route.path}`, route] as const),
  )('describes the body of %s', (_row, { request }) => {
    expect(request?.schema.type).toBe('object');
  });

  it('includes every reason of docs/errors.md with its kind, at an operation or elsewhere', () => {
    const named = new Set<string>(ROUTES.flatMap(reasonsOfRoute));
    expect(pageRows.length).toBeGreaterThan(50);
    expect(pageRows.filter(([reason]) => named.has(reason) === reason in ELSEWHERE)).toEqual([]);
    expect(Object.entries(REASONS).sort()).toEqual(
      pageRows
        .filter(([reason]) => !(reason in ELSEWHERE))
        .map((row) => [...row])
        .sort(),
    );
  });

  it('declares a file of an execution as bytes of any type', () => {
    const { paths } = JSON.parse(JSON.stringify(DOCUMENT));
    const { content } = paths['/executions/{id}/binary/{fileId}'].get.responses[200];
    const schema = { type: 'string', format: 'binary' };
    expect(content).toEqual({ 'application/octet-stream': { schema }, '*/*': { schema } });
  });

  it('has one schema for all errors, with the codes and reasons of each response next to it', () => {
    const { paths, components } = JSON.parse(JSON.stringify(DOCUMENT));
    const { 404: notFound, 409: conflict, 400: badRequest } = paths['/workflows/{id}'].put.responses;
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } };
    expect(badRequest).toMatchObject({ 'x-code': 'INVALID_REQUEST', content });
    expect(notFound).toMatchObject({ 'x-reasons': ['WORKFLOW_NOT_FOUND'], content });
    expect(conflict).toMatchObject({ 'x-code': 'CONFLICT', content });
    expect(components.schemas.ErrorDetails.properties.reason.enum).toBeUndefined();
  });

  it('has no schema whose name a generator for Go uses for something else', () => {
    const { components } = JSON.parse(JSON.stringify(DOCUMENT));
    const names = Object.keys(components.schemas);
    expect(names.filter((name) => /^(New|Nullable)|Test$/.test(name))).toEqual([]);
  });

  it('has a default page size exactly for lists that always return a page', () => {
    const { paths } = JSON.parse(JSON.stringify(DOCUMENT));
    const limitOf = (path: string) =>
      paths[path].get.parameters.find(({ name }: { readonly name: string }) => name === 'limit').schema.default;
    expect(['/executions', '/deliveries', '/retry-jobs', '/audit'].map(limitOf)).toEqual([20, 20, 20, 20]);
    expect(['/workflows', '/credentials', '/users'].map(limitOf)).toEqual([undefined, undefined, undefined]);
  });

  it('breaks no client generated from the released document', () => {
    const released: unknown = JSON.parse(readFileSync(join(ROOT, 'services/gateway/released-openapi.json'), 'utf8'));
    expect(breaks(Object(released), DOCUMENT)).toEqual([]);
  });
});

describe('the reference pages', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const PAGES = ['/docs/', ...Object.keys(TAGS).map((tag) => `/docs/${slugOf(tag)}/`), '/docs/schemas/'];

  it('has a page for each tag with an anchor, a request and a response for each operation', async () => {
    for (const tag of Object.keys(TAGS)) {
      const { text } = await gateway.ask('GET', `/docs/${slugOf(tag)}/`);
      for (const { handler, path } of ROUTES.filter(({ doc }) => doc.tag === tag)) {
        const [, section = ''] = text.split(`<section id="${handler.name}">`);
        const [own = ''] = section.split('</section>');
        expect([handler.name, own]).toEqual([
          handler.name,
          expect.stringContaining(`${API_ROOT}${path.replace(/:(\w+)/g, '{$1}')}`),
        ]);
        expect([handler.name, /curl (-X \w+ )?&quot;\$WEFT_URL/.test(own)]).toEqual([handler.name, true]);
      }
    }
  });

  it.each(PAGES)('serves %s without a script, under a policy that allows none, with a way back', async (page) => {
    const { status, headers, text } = await gateway.ask('GET', page);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).not.toMatch(/<script| style=| on\w+="/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect(text).toContain('href="/console/"');
    expect(text.match(/aria-current="page"/g)).toHaveLength(1);
  });

  it('links only to anchors that exist, and to served paths', async () => {
    const texts = new Map<string, string>();
    const textOf = async (path: string): Promise<string> => {
      const known = texts.get(path) ?? (await gateway.ask('GET', path)).text;
      texts.set(path, known);
      return known;
    };
    for (const page of PAGES) {
      const links = new Set([...(await textOf(page)).matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link));
      for (const link of links) {
        const [path = '', anchor = ''] = link.split('#');
        if (anchor !== '')
          expect([link, await textOf(path === '' ? page : path)]).toEqual([
            link,
            expect.stringContaining(` id="${anchor}"`),
          ]);
        else expect([link, (await gateway.ask('GET', link)).status]).toEqual([link, 200]);
      }
    }
  });

  it('finds operations by words of their names, addresses and descriptions', async () => {
    const { status, text } = await gateway.ask('GET', '/docs/search?q=RETRY+job');
    expect(status).toBe(200);
    expect(text).toContain('/docs/retries/#cancelRetryJob');
    expect(text).not.toContain('/docs/users/#');
    const none = await gateway.ask('GET', `/docs/search?q=${encodeURIComponent('"><b>nothing')}`);
    expect([none.text.includes('No operation'), none.text.includes('<b>')]).toEqual([true, false]);
    expect((await gateway.ask('GET', '/docs/search')).text).toContain('Type a word');
  });

  it('is found without a trailing slash, is 304 for a client that has it, and 404 below it', async () => {
    for (const path of ['/docs', '/docs/workflows']) {
      const moved = await gateway.ask('GET', path);
      expect([moved.status, moved.headers.get('location')]).toEqual([302, `${path}/`]);
    }
    const etag = (await gateway.ask('GET', '/docs/')).headers.get('etag') ?? '';
    expect((await gateway.ask('GET', '/docs/', { headers: { 'if-none-match': etag } })).status).toBe(304);
    for (const path of ['/docs/../secret', '/docs/other', '/docs/workflows/other'])
      expect([path, (await gateway.ask('GET', path)).status]).toEqual([path, 404]);
  });
});
