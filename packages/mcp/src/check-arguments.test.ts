import { checkArguments } from './check-arguments';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    size: { type: 'number' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    tags: { type: 'array', items: { type: 'string' } },
    any: {},
    inner: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'], additionalProperties: false },
  },
  required: ['name'],
  additionalProperties: false,
};

describe('checkArguments', () => {
  it('accepts arguments that match', () => {
    const args = { name: 'n', size: 1.5, colour: 'red', tags: ['a'], any: null, inner: { x: 1 } };
    expect(checkArguments(SCHEMA, args)).toEqual([]);
  });

  it.each([
    [{}, 'arguments.name is required'],
    [{ name: 1 }, 'arguments.name must be of type string'],
    [{ name: 'n', colour: 'green' }, 'arguments.colour must be one of ["red","blue"]'],
    [{ name: 'n', tags: ['a', 2] }, 'arguments.tags[1] must be of type string'],
    [{ name: 'n', inner: {} }, 'arguments.inner.x is required'],
    [{ name: 'n', constructor: 1 }, 'arguments.constructor is not known'],
  ])('says what is wrong with %j', (args, error) => {
    expect(checkArguments(SCHEMA, args)[0]).toContain(error);
  });

  it('reports at most 20 errors', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, 1]));
    expect(checkArguments(SCHEMA, many)).toHaveLength(20);
  });
});
