import type { Json } from '@weft/service-kit/json-values';
import type { AppDocument, AppKind } from '../app-document.gen';
import { checkApp } from '../checks/check-app';
import { DraftError, type DraftNames, openDraft } from './draft';

const documentOf = (parts: Record<string, Json>): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Parcels API', description: 'Sends parcels. And more.' },
    servers: [{ url: 'https://api.parcels.example/v2/' }],
    ...parts,
  });

const appOf = (text: string, ids: readonly string[], names: DraftNames = {}): AppDocument => {
  const checked = checkApp('draft', openDraft('api.json', text).draft(ids, names).yaml);
  if (checked.kind === 'problems') throw new Error(JSON.stringify(checked.problems));
  return checked.app;
};

const kindOf = (app: AppDocument): AppKind => {
  const [kind] = Object.values(app.kinds);
  if (kind === undefined) throw new Error('The app has no kind.');
  return kind;
};

const failureOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof DraftError) return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
};

const parcel: Json = {
  type: 'object',
  required: ['to', 'size'],
  properties: {
    to: { type: 'string', description: 'Address of the receiver. As one line.' },
    size: { type: 'string', enum: ['small', 'large'], default: 'large' },
    insured: { type: 'boolean' },
    weight_grams: { type: 'integer' },
    send_at: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
    id: { type: 'string', readOnly: true },
    kind: { const: 'parcel' },
  },
};

const create: Json = {
  operationId: 'createParcel',
  tags: ['Parcels'],
  summary: 'Create a parcel',
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } },
  responses: {
    400: {
      description: 'no',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { error: { type: 'object', properties: { message: { type: 'string' } } } },
          },
        },
      },
    },
  },
};

const list: Json = {
  operationId: 'listParcels',
  tags: ['Parcels'],
  parameters: [
    { name: 'depot', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'page', in: 'query', schema: { type: 'integer' } },
    { name: 'state', in: 'query', schema: { type: 'array', items: { enum: ['new', 'sent'] } } },
    { name: 'fields', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
    { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
    { name: 'old', in: 'query', deprecated: true, schema: { type: 'string' } },
  ],
  responses: {
    200: {
      description: 'ok',
      content: { 'application/json': { schema: { type: 'object', properties: { data: { type: 'array' } } } } },
    },
  },
};

const parcels = documentOf({
  components: {
    schemas: { Parcel: parcel },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
  security: [{ key: [] }],
  paths: { '/parcels': { post: create }, '/depots/{depot}/parcels': { get: list } },
});

describe('the draft of an app', () => {
  it('has the address, the credential type and the calls of the document', () => {
    expect(appOf(parcels, ['createParcel'])).toMatchObject({
      name: 'parcels',
      label: 'Parcels API',
      hosts: ['api.parcels.example'],
      credentials: { httpHeaderAuth: 'catalogue' },
      calls: { api: { url: 'https://api.parcels.example/v2' } },
      kinds: { parcels: { description: 'Sends parcels.', credentials: [{ type: 'httpHeaderAuth' }] } },
    });
  });

  it('has a parameter for each required value, and a collection for the others', () => {
    const { parameters } = kindOf(appOf(parcels, ['createParcel']));
    const shownWhen = { operation: ['createParcel'] };
    expect(parameters.slice(1)).toEqual([
      { name: 'to', label: 'To', type: 'string', required: true, help: 'Address of the receiver.', shownWhen },
      {
        ...{ name: 'size', label: 'Size', type: 'options', required: true, default: 'large', help: 'Size.', shownWhen },
        options: [
          { value: 'small', label: 'Small' },
          { value: 'large', label: 'Large' },
        ],
      },
      expect.objectContaining({ name: 'options', type: 'collection', shownWhen }),
    ]);
    expect(parameters.at(-1)?.fields?.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...['insured boolean', 'weightGrams number', 'sendAt dateTime', 'tags json'],
    ]);
  });

  it('sends each value under its name in the service, and leaves out what is not set', () => {
    const { operations } = kindOf(appOf(parcels, ['createParcel', 'GET /depots/{depot}/parcels']));
    expect(operations).toEqual({
      createParcel: {
        let: { o: '={{ $p.options ?? {} }}' },
        call: 'api',
        method: 'POST',
        path: '/parcels',
        body: {
          to: '={{ $p.to }}',
          size: '={{ $p.size }}',
          insured: '={{ o.insured }}',
          weight_grams: '={{ o.weightGrams }}',
          send_at: '={{ o.sendAt || undefined }}',
          tags: '={{ o.tags ? $fn.json(o.tags) : undefined }}',
        },
      },
      listParcels: {
        let: { o: '={{ $p.options ?? {} }}' },
        call: 'api2',
        path: "={{ '/depots/' + $fn.path($p.depot) + '/parcels' }}",
        query: {
          page: '={{ o.page }}',
          state: '={{ o.state ? o.state : undefined }}',
          fields: "={{ o.fields ? $fn.json(o.fields).join(',') : undefined }}",
        },
        headers: { 'X-Trace': '={{ $p.xTrace }}' },
      },
    });
  });

  it('marks by comments what is left to write', () => {
    const { yaml } = openDraft('api.json', parcels).draft(['createParcel', 'listParcels']);
    expect(
      yaml
        .split('\n')
        .filter((line) => line.includes('#'))
        .map((line) => line.trim()),
    ).toEqual([
      '# Draft from the OpenAPI document of Parcels API. Write what the comments with TODO name, and remove them.',
      '# Create a credential of the type httpHeaderAuth. "key": set the name of the credential to X-Key.',
      '# TODO errors: such as errors: ' +
        `[{ message: "={{ 'Parcels API refused the request: ' + $response.body?.error?.message }}" }]`,
      '# TODO names: labels, help, and the values of resource and operation, which workflows store.',
      '# POST /parcels',
      '# GET /depots/{depot}/parcels',
      '# TODO items: the response has a list; for one item per entry: list: data',
      '# TODO pages: see page',
      '# TODO values: left out: old',
    ]);
  });

  it('groups operations of several tags as resources', () => {
    const tagged = (tag: string, operationId: string): Json => ({ tags: [tag], operationId });
    const text = documentOf({
      paths: {
        '/a': { get: tagged('Big parcels', 'bigParcelsList'), post: tagged('Big parcels', 'create') },
        '/b': { get: tagged('depots', 'depots/list') },
      },
    });
    const kind = kindOf(appOf(text, ['bigParcelsList', 'create', 'depots/list']));
    expect(Object.keys(kind.operations ?? {})).toEqual(['bigParcels.list', 'bigParcels.create', 'depots.list']);
    expect(kind.parameters.map(({ name, shownWhen }) => [name, shownWhen])).toEqual([
      ['resource', undefined],
      ['operation', { resource: ['bigParcels'] }],
      ['operation', { resource: ['depots'] }],
    ]);
  });

  it('has the name and the type that are given', () => {
    const app = appOf(parcels, ['createParcel'], { name: 'my-parcels', kind: '@some/n8n-nodes-parcels.parcels' });
    expect([app.name, Object.keys(app.kinds)]).toEqual(['my-parcels', ['@some/n8n-nodes-parcels.parcels']]);
    expect(failureOf(() => appOf(parcels, ['createParcel'], { name: 'My Parcels' }))).toContain('is not a name');
    expect(failureOf(() => appOf(parcels, ['createParcel'], { kind: 'a b' }))).toContain('"a b" is not allowed');
  });
});

describe('the credentials of a draft', () => {
  const withScheme = (schemes: Record<string, Json>, security: Json, url = 'https://api.x.example'): AppDocument =>
    appOf(
      documentOf({
        servers: [{ url }],
        components: { securitySchemes: schemes },
        security,
        paths: { '/a': { get: { operationId: 'a' } }, '/b': { get: { operationId: 'b', security: [] } } },
      }),
      ['a', 'b'],
    );

  it.each<[string, Json, string]>([
    ['httpBearerAuth', { type: 'http', scheme: 'bearer' }, 'a token'],
    ['httpBasicAuth', { type: 'http', scheme: 'basic' }, 'a password'],
    ['httpQueryAuth', { type: 'apiKey', in: 'query', name: 'key' }, 'a key in the query'],
    ['httpHeaderAuth', { type: 'apiKey', in: 'cookie', name: 'session' }, 'a cookie'],
    ['oAuth2Api', { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x.example/t' } } }, 'OAuth 2'],
    ['httpBearerAuth', { type: 'oauth2', flows: { implicit: {} } }, 'OAuth 2 with a flow that Weft does not have'],
  ])('have the type %s for %j: %s', (type, scheme) => {
    const app = withScheme({ one: scheme }, [{ one: [] }]);
    expect(app.credentials).toEqual({ [type]: 'catalogue' });
    expect(app.calls['api2']).toEqual({ url: 'https://api.x.example', credential: false });
  });

  it('have the type that Weft has for the host', () => {
    const app = withScheme({ one: { type: 'http', scheme: 'bearer' } }, [{ one: [] }], 'https://api.notion.com/v1');
    expect(app.credentials).toEqual({ notionApi: 'catalogue' });
  });

  it('send several keys as one credential', () => {
    const key: Json = { type: 'apiKey', in: 'header', name: 'X-A' };
    expect(withScheme({ a: key, b: key }, [{ a: [], b: [] }]).credentials).toEqual({ httpCustomAuth: 'catalogue' });
  });

  it('say what a credential with several keys contains', () => {
    const inQuery = (name: string): Json => ({ type: 'apiKey', in: 'query', name });
    const text = documentOf({
      components: {
        securitySchemes: { a: inQuery('key'), b: inQuery('token'), c: { type: 'apiKey', in: 'header', name: 'X-C' } },
      },
      security: [{ a: [], b: [], c: [] }],
      paths: { '/a': { get: { operationId: 'a' } } },
    });
    expect(openDraft('api.json', text).draft(['a']).yaml).toContain(
      'httpCustomAuth. A request needs all of these values at once; ' +
        'set its JSON to {"headers":{"X-C":"…"},"qs":{"key":"…","token":"…"}}.',
    );
  });

  it('have the type that Weft has for a host that needs several values', () => {
    const inQuery = (name: string): Json => ({ type: 'apiKey', in: 'query', name });
    const schemes = { a: inQuery('key'), b: inQuery('token') };
    const app = withScheme(schemes, [{ a: [], b: [] }], 'https://api.trello.com/1');
    expect(app.credentials).toEqual({ trelloApi: 'catalogue' });
  });

  it('can be chosen if operations have no type in common', () => {
    const text = documentOf({
      components: { securitySchemes: { a: { type: 'http', scheme: 'basic' }, b: { type: 'http', scheme: 'bearer' } } },
      paths: {
        '/a': { get: { operationId: 'a', security: [{ a: [] }] } },
        '/b': { get: { operationId: 'b', security: [{ b: [] }] } },
      },
    });
    const kind = kindOf(appOf(text, ['a', 'b']));
    expect(kind.parameters[0]).toMatchObject({ name: 'authentication', default: 'httpBasicAuth' });
    expect(kind.credentials?.map(({ shownWhen }) => shownWhen)).toEqual([
      { authentication: ['httpBasicAuth'] },
      { authentication: ['httpBearerAuth'] },
    ]);
  });
});

describe('bodies', () => {
  const withBody = (type: string, schema: Json): AppKind =>
    kindOf(
      appOf(
        documentOf({
          paths: { '/a': { post: { operationId: 'a', requestBody: { content: { [type]: { schema } } } } } },
        }),
        ['a'],
      ),
    );

  it.each<[string, Json, unknown]>([
    [
      'application/x-www-form-urlencoded',
      { properties: { a: { type: 'string' } } },
      { form: true, body: { a: '={{ o.a || undefined }}' } },
    ],
    [
      'multipart/form-data',
      { required: ['a'], properties: { a: { type: 'string', format: 'binary' } } },
      { multipart: true, body: { a: '={{ $fn.file($p.a) }}' } },
    ],
    [
      'application/pdf',
      { type: 'string', format: 'binary' },
      { body: '={{ $p.file ? $fn.file($p.file) : undefined }}' },
    ],
    ['text/csv', { type: 'string' }, { text: true, body: '={{ $p.body }}', headers: { 'content-type': 'text/csv' } }],
    ['application/json', { type: 'array' }, { body: '={{ $p.body ? $fn.json($p.body) : undefined }}' }],
  ])('of the type %s are sent as such', (type, schema, expected) => {
    expect(withBody(type, schema).operations?.['a']).toMatchObject(Object(expected));
  });

  it.each<[string, Json, string | undefined, string]>([
    ['with the same name', {}, 'repeat', '={{ o.ids ? $fn.json(o.ids) : undefined }}'],
    ['joined', { ids: { explode: false } }, undefined, "={{ o.ids ? $fn.json(o.ids).join(',') : undefined }}"],
    ['with indices', { ids: { style: 'deepObject' } }, undefined, '={{ o.ids ? $fn.json(o.ids) : undefined }}'],
  ])('that are forms have lists %s, as their encoding says', (_, encoding, lists, value) => {
    const schema = { properties: { ids: { type: 'array', items: { type: 'integer' } } } };
    const content = { 'application/x-www-form-urlencoded': { schema, encoding } };
    const paths = { '/a': { post: { operationId: 'a', requestBody: { content } } } };
    const app = appOf(documentOf({ paths }), ['a']);
    expect(app.calls['api']?.lists).toBe(lists);
    expect(kindOf(app).operations?.['a']).toMatchObject({ form: true, body: { ids: value } });
  });

  it('that are forms say which lists have another form than the others', () => {
    const list = (items: Json): Json => ({ type: 'array', items });
    const schema = { properties: { ids: list({ type: 'integer' }), lines: list({ type: 'object' }) } };
    const content = { 'application/x-www-form-urlencoded': { schema } };
    const paths = { '/a': { post: { operationId: 'a', requestBody: { content } } } };
    const { yaml } = openDraft('api.json', documentOf({ paths })).draft(['a']);
    expect(yaml).toContain('lists are sent as several values of one NAME: lines\n');
  });

  it('of alternatives have the values of all, of which those that all require are required', () => {
    const one = (name: string): Json => ({
      required: ['id', name],
      properties: { id: { type: 'string' }, [name]: { type: 'string' } },
    });
    const { parameters } = withBody('application/json', { oneOf: [one('b'), one('c')] });
    expect(parameters.map(({ name, fields }) => [name, fields?.map((field) => field.name)])).toEqual([
      ['operation', undefined],
      ['id', undefined],
      ['options', ['b', 'c']],
    ]);
  });

  it('can have names that Weft gives a meaning, or that two places have', () => {
    const text = documentOf({
      paths: {
        '/a/{id}': {
          put: {
            operationId: 'a',
            parameters: [{ name: 'operation', in: 'query', required: true, schema: { type: 'string' } }],
            requestBody: {
              content: { 'application/json': { schema: { required: ['id'], properties: { id: { type: 'string' } } } } },
            },
          },
        },
      },
    });
    expect(kindOf(appOf(text, ['a'])).operations?.['a']).toMatchObject({
      path: "={{ '/a/' + $fn.path($p.id) }}",
      query: { operation: '={{ $p.operationValue }}' },
      body: { id: '={{ $p.bodyId }}' },
    });
  });
});

describe('Swagger 2', () => {
  it('has lists in forms as their format says', () => {
    const formIds = (collectionFormat: string) => {
      const ids = { name: 'ids', in: 'formData', type: 'array', items: { type: 'string' }, collectionFormat };
      const paths = { '/a': { post: { operationId: 'a', parameters: [ids] } } };
      return appOf(JSON.stringify({ swagger: '2.0', info: { title: 'Old' }, host: 'old.example', paths }), ['a']);
    };
    expect(formIds('multi').calls).toMatchObject({ api: { lists: 'repeat' } });
    const joined = formIds('pipes');
    expect(kindOf(joined).operations?.['a']?.body).toEqual({
      ids: "={{ o.ids ? $fn.json(o.ids).join('|') : undefined }}",
    });
  });

  it('is drafted as well', () => {
    const text = [
      'swagger: "2.0"',
      'info: { title: Old parcels }',
      'host: old.parcels.example',
      'basePath: /v1',
      'securityDefinitions: { basic: { type: basic } }',
      'security: [{ basic: [] }]',
      'paths:',
      '  /parcels:',
      '    post:',
      '      operationId: create',
      '      parameters:',
      '        - { name: to, in: formData, type: string, required: true }',
      '        - { name: label, in: formData, type: file }',
      '        - { name: ids, in: query, type: array, items: { type: integer } }',
    ].join('\n');
    const app = appOf(text, ['create']);
    expect(app.calls).toEqual({ api: { url: 'https://old.parcels.example/v1' } });
    expect(app.credentials).toEqual({ httpBasicAuth: 'catalogue' });
    expect(kindOf(app).operations?.['create']).toMatchObject({
      multipart: true,
      query: { ids: "={{ o.ids ? $fn.json(o.ids).join(',') : undefined }}" },
      body: { to: '={{ $p.to }}', label: '={{ o.label ? $fn.file(o.label) : undefined }}' },
    });
  });
});

describe('documents that are no good', () => {
  it.each([
    ['{', 'is not valid JSON'],
    ['a: [', 'api.json:1: '],
    ['[1]', 'is not a YAML mapping'],
    ['{"info": {}}', 'it has no field `openapi` or `swagger`'],
    ['{"openapi": "4.0.0", "paths": {}}', 'version 4.0.0 is not supported'],
    ['{"openapi": "3.1.0"}', 'the field `paths` with the operations is missing'],
    [`a: ${'['.repeat(20_000)}`, 'api.json'],
    [`a: ${'x'.repeat(9 * 1024 * 1024)}`, 'may have 8 MB at most. Convert it to JSON'],
  ])('are refused with a reason', (text, message) => {
    expect(failureOf(() => openDraft('api.json', text))).toContain(message);
  });

  it('names unknown operations with those that were probably meant', () => {
    const source = openDraft('api.json', parcels);
    expect(failureOf(() => source.draft(['creatParcel', 'nonsense']))).toBe(
      'The document has no operation "creatParcel". Did you mean createParcel?\n' +
        'The document has no operation "nonsense". --list shows all.',
    );
    expect(failureOf(() => source.draft(['parcels']))).toContain('Did you mean createParcel, listParcels?');
    expect(failureOf(() => source.draft([]))).toContain('createParcel (POST /parcels)');
  });

  it('follows references that lead to themselves, to nothing and to other files no further', () => {
    const schemas: Record<string, Json> = {
      Node: {
        type: 'object',
        properties: { next: { $ref: '#/components/schemas/Node' }, self: { $ref: '#/components/schemas/Loop' } },
      },
      Loop: { $ref: '#/components/schemas/Loop' },
      Deep: { allOf: [{ $ref: '#/components/schemas/Deep' }, { $ref: '#/components/schemas/Node' }] },
      Bomb: {
        anyOf: Array.from({ length: 30 }, () => ({
          allOf: [{ $ref: '#/components/schemas/Bomb' }, { $ref: '#/components/schemas/Deep' }],
        })),
      },
    };
    const withSchema = (schema: Json): ReturnType<ReturnType<typeof openDraft>['draft']> =>
      openDraft(
        'api.json',
        documentOf({
          components: { schemas },
          paths: { '/a': { post: { operationId: 'a', requestBody: { content: { 'application/json': { schema } } } } } },
        }),
      ).draft(['a']);
    for (let level = 0; level < 12; level += 1)
      schemas[`Level${level}`] = {
        anyOf: Array.from({ length: 20 }, () => ({ $ref: `#/components/schemas/Level${level + 1}` })),
      };
    for (const name of ['Level0', 'Node', 'Loop', 'Deep', 'Bomb', 'None'])
      expect(withSchema({ $ref: `#/components/schemas/${name}` }).yaml).toContain('call: api');
    expect(withSchema({ $ref: 'other.yaml#/A' }).yaml).toContain(
      '# TODO references that lead to nothing: other.yaml#/A',
    );
  });

  it('writes no text of the document that hides or ends a comment, or that is an expression', () => {
    const text = documentOf({
      info: { title: 'a\nweftApp: 2 \u001b[31m', description: 'x\u202ey' },
      paths: {
        "/it's/{a b}": {
          get: {
            operationId: 'b\nkinds: {}',
            summary: 'c\n\nd: "',
            parameters: [
              {
                name: 'q',
                in: 'query',
                required: true,
                schema: { type: 'string', default: '={{ $env }}', enum: ['=a', 'b'] },
              },
              { name: 'r', in: 'query', required: true, schema: { enum: ["=x'\\"] } },
              { name: '__proto__', in: 'query', required: true, schema: { type: 'string' } },
            ],
          },
        },
      },
    });
    const app = appOf(text, ["GET /it's/{a b}"]);
    expect(JSON.stringify(app)).not.toMatch(/\$env|\\u001b|\u202e/);
    expect(kindOf(app).operations).toMatchObject({
      bKinds: { path: "={{ '/it\\'s/' + $fn.path($p.aB) }}", query: { q: '={{ $p.q }}' } },
    });
  });

  it('drafts at most 200 operations, and no file that an app cannot have', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`/a${index}`, { get: { operationId: `a${index}` } }]),
    );
    const source = openDraft('api.json', documentOf({ paths }));
    const ids = source.operations.map(({ id }) => id);
    expect(failureOf(() => source.draft(ids))).toContain('200 operations at most');
    expect(source.draft(ids.slice(0, 200)).yaml).toContain('a199');
  });
});
