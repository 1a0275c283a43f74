import { answerChecker, type SeenAnswer } from '.';

const DOCUMENT = {
  paths: {
    '/things/{id}': {
      get: {
        responses: {
          200: {
            headers: { ETag: {} },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          409: {
            'x-code': 'CONFLICT',
            'x-reasons': ['BUSY'],
            content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
          },
        },
      },
    },
    '/things/all': { get: { responses: { 304: {} } } },
  },
  components: {
    headers: { ETag: { required: true } },
    schemas: {
      Thing: {
        type: 'object',
        properties: { id: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
        required: ['id'],
      },
    },
  },
};

const seen = (change: Partial<SeenAnswer> = {}): SeenAnswer => ({
  method: 'GET',
  path: '/things/7?a=b',
  status: 200,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', etag: '"1"' }),
  text: '{"id":"7"}',
  ...change,
});

describe('an answer of the API', () => {
  const check = answerChecker(DOCUMENT);

  it('is accepted as it is documented, the reason too', () => {
    expect(check(seen())).toEqual([]);
    const headers = new Headers({ 'content-type': 'application/json' });
    expect(
      check(seen({ status: 409, headers, text: '{"error":{"code":"CONFLICT","details":{"reason":"BUSY"}}}' })),
    ).toEqual([]);
  });

  it('belongs to the fixed path before one with a parameter', () => {
    expect(check(seen({ path: '/things/all', status: 304, headers: new Headers(), text: '' }))).toEqual([]);
  });

  it.each<[string, Partial<SeenAnswer>, string]>([
    ['status', { status: 202 }, 'is not a documented status'],
    ['path that succeeds', { path: '/others' }, 'is not an operation'],
    ['method that succeeds', { method: 'PUT' }, 'is not an operation'],
    ['field', { text: '{"id":"7","more":1}' }, 'additional properties'],
    ['type', { text: '{"id":7}' }, 'must be string'],
    ['form of a time', { text: '{"id":"7","at":"today"}' }, 'date-time'],
    ['missing field', { text: '{}' }, "required property 'id'"],
    ['body', { text: '<html>' }, 'is not JSON'],
    ['content type', { headers: new Headers({ 'content-type': 'text/html', etag: '"1"' }) }, 'is text/html'],
    ['missing header', { headers: new Headers({ 'content-type': 'application/json' }) }, 'has no header ETag'],
    [
      'header',
      { headers: new Headers({ 'content-type': 'application/json', etag: '"1"', location: '/x' }) },
      'has the header Location',
    ],
    [
      'reason',
      {
        status: 409,
        headers: new Headers({ 'content-type': 'application/json' }),
        text: '{"error":{"code":"CONFLICT","details":{"reason":"OTHER"}}}',
      },
      'has the reason OTHER',
    ],
    [
      'code',
      {
        status: 409,
        headers: new Headers({ 'content-type': 'application/json' }),
        text: '{"error":{"code":"INVALID_REQUEST","details":{"reason":"BUSY"}}}',
      },
      'has the code INVALID_REQUEST',
    ],
    ['body where there is none', { path: '/things/all', status: 304, headers: new Headers() }, 'has a body'],
  ])('is refused for an undocumented %s', (_what, change, fault) => {
    expect(check(seen(change)).join()).toContain(fault);
  });

  it('may be a refusal where no operation is', () => {
    expect(check(seen({ path: '/others', status: 404 }))).toEqual([]);
  });
});
