import { isErrorItem, splitErrors } from './error-output';

describe('isErrorItem', () => {
  it.each([
    [{ error: { message: 'x' } }, {}, true],
    [{}, { error: 'x' }, true],
    [{}, { error: 'x', message: 'y' }, true],
    [{}, { error: 'x', message: '', details: {} }, true],
    [{}, { error: 'x', other: 1 }, false],
    [{}, { error: null }, false],
    [{}, { error: '' }, false],
    [{}, { message: 'y' }, false],
    [{}, {}, false],
  ])('of mark %j and JSON %j says %s', (mark, json, expected) => {
    expect(isErrorItem({ json, ...mark })).toBe(expected);
  });
});

describe('splitErrors', () => {
  it('merges the error into the item it comes from', () => {
    const failed = { json: { error: 'late' }, pairedItem: { item: 1, input: 1 } };
    const inputs = [[], [{ json: { id: 1 } }, { json: { id: 2, error: 'old' } }]];
    expect(splitErrors([[failed, { json: { ok: 1 } }]], 1, inputs)).toEqual([
      [{ json: { ok: 1 } }],
      [{ json: { id: 2, error: 'late' }, pairedItem: { item: 1, input: 1 } }],
    ]);
  });

  it('removes a mark, and leaves of a marked item its message alone', () => {
    const failed = { json: { a: 1 }, error: { message: 'late' }, pairedItem: { item: 0 } };
    expect(splitErrors([[failed]], 1, [[{ json: { id: 1 } }]])).toEqual([
      [],
      [{ json: { error: 'late' }, pairedItem: { item: 0 } }],
    ]);
  });

  it('leaves an item of unknown origin unchanged', () => {
    expect(splitErrors([[{ json: { error: 'x' } }]], 1, [[{ json: { id: 1 } }]])).toEqual([
      [],
      [{ json: { error: 'x' } }],
    ]);
  });
});
