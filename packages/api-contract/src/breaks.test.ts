import { breaks } from '.';

const documentOf = (operation: Readonly<Record<string, unknown>>) => ({
  paths: { '/things': { post: { operationId: 'makeThing', ...operation } } },
  components: { schemas: { Thing: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } } },
});
const body = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const sent = (schema: unknown) => documentOf({ requestBody: body(schema) });
const got = (schema: unknown) => documentOf({ responses: { 200: body(schema) } });
const text = { type: 'string' };
const at = (path: string, name: string) => ({
  paths: {
    [path]: { get: { operationId: 'getThing', parameters: [{ name, in: 'path', required: true, schema: text }] } },
  },
});
const word = (...words: string[]) => ({ type: 'object', properties: { word: { type: 'string', enum: words } } });

describe('a new document of the API', () => {
  it.each([
    ['the same', sent({ type: 'object' }), sent({ type: 'object' })],
    ['one more field', got({ type: 'object', properties: {} }), got({ type: 'object', properties: { a: text } })],
    ['one more word to send', sent(word('a')), sent(word('a', 'b'))],
    ['one less word to get', got(word('a', 'b')), got(word('a'))],
    ['one less required field', sent({ type: 'object', required: ['a'] }), sent({ type: 'object' })],
    [
      'a component in place of an inline schema that may be null',
      got({ type: ['object', 'null'] }),
      got({ oneOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] }),
    ],
    ['another name of a path parameter', at('/things/{ref}', 'ref'), at('/things/{partId}', 'partId')],
    ['one less error', documentOf({ responses: { 409: {} } }), documentOf({ responses: {} })],
  ])('breaks nothing with %s', (_what, before, after) => {
    expect(breaks(before, after)).toEqual([]);
  });

  it.each([
    ['an operation that is gone', sent(text), { paths: {} }, 'POST /things is gone'],
    ['another name', documentOf({}), documentOf({ operationId: 'other' }), 'another operationId'],
    ['an answer that is gone', got(text), documentOf({ responses: {} }), 'no longer answers 200'],
    [
      'a component that may not be null any more',
      got({ oneOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] }),
      got({ $ref: '#/components/schemas/Thing' }),
      'was ["object","null"] and is "object"',
    ],
    ['a path that is gone', at('/things/{ref}', 'ref'), at('/things', 'ref'), 'GET /things/{ref} is gone'],
    ['another type', got(text), got({ type: 'number' }), 'was "string" and is "number"'],
    ['a field that is gone', got(word('a')), got({ type: 'object' }), '.word is gone'],
    ['a word that is not taken', sent(word('a', 'b')), sent(word('a')), 'no longer takes b'],
    ['a word that is new', got(word('a')), got(word('a', 'b')), 'may be b'],
    ['a field that is required', sent({ type: 'object' }), sent({ type: 'object', required: ['a'] }), 'a is required'],
    [
      'a field that may miss',
      got({ $ref: '#/components/schemas/Thing' }),
      got({ type: 'object' }),
      '.id may be missing',
    ],
    [
      'a parameter that is required',
      documentOf({}),
      documentOf({ parameters: [{ name: 'a', in: 'query', required: true, schema: text }] }),
      'a is required now',
    ],
    [
      'a parameter that is gone',
      documentOf({ parameters: [{ name: 'a', in: 'query', schema: text }] }),
      documentOf({}),
      'a is gone',
    ],
  ])('breaks clients with %s', (_what, before, after, fault) => {
    expect(breaks(before, after).join()).toContain(fault);
  });
});
