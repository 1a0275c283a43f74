import { exampleSchema } from './example-schema';

describe('the schema of an example', () => {
  it('has the types of its values', () => {
    expect(exampleSchema({ a: 'x', b: 1, c: true, d: null, e: { f: [1, 2] } }, false)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'number' },
        c: { type: 'boolean' },
        d: {},
        e: { type: 'object', properties: { f: { type: 'array', items: { type: 'number' } } } },
      },
    });
  });

  it('requires all fields on demand, and those that all entries of a list have', () => {
    expect(exampleSchema({ list: [{ a: 1, b: 'x' }, { a: 2 }] }, true)).toEqual({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } }, required: ['a'] },
        },
      },
      required: ['list'],
    });
  });

  it('accepts any entry of a list with several types, and of an empty one', () => {
    expect(exampleSchema([1, 'x'], false)).toEqual({ type: 'array' });
    expect(exampleSchema([], true)).toEqual({ type: 'array' });
  });
});
