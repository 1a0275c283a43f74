import { ExpressionError, type ExpressionScope, type ScopeItem } from '@weft/expressions';
import { fixedScope } from '@weft/expressions/testing';
import { copyNode } from './copy-node';

const NONE = { outputs: [], pairedItems: 0, params: false, context: false };
const missing = (): never => {
  throw new ExpressionError('no such output', { type: 'no_node_data', description: 'why' });
};
const ITEMS: readonly ScopeItem[] = [{ json: { a: 1 }, pairedItem: { item: 0 } }, { json: { a: 2 } }];
const scopeOf = (over: Partial<ExpressionScope>): ExpressionScope =>
  Object.assign(Object.create(fixedScope({})), {
    hasNode: () => true,
    isExecuted: () => true,
    nodeOutput: () => ITEMS,
    nodeParameters: () => ({ p: 1 }),
    nodeContext: () => ({ c: 1 }),
    ...over,
  });

describe('the copy of a node', () => {
  it('has its items, and only the requested other parts', () => {
    expect(copyNode(scopeOf({}), 'A', NONE)).toEqual({ isExecuted: true, output: { items: ITEMS } });
    expect(copyNode(scopeOf({}), 'A', { ...NONE, params: true, context: true })).toMatchObject({
      params: { p: 1 },
      context: { c: 1 },
    });
  });

  it('is null for a node that does not exist', () => {
    expect(copyNode(scopeOf({ hasNode: () => false }), 'A', NONE)).toBeNull();
  });

  it('has the reason if there are no items', () => {
    expect(
      copyNode(scopeOf({ nodeOutput: missing, isExecuted: () => false }), 'A', {
        ...NONE,
        outputs: [{ output: 1, run: undefined }],
      }),
    ).toEqual({ isExecuted: false, output: { error: { message: 'no such output', description: 'why' } } });
  });

  it('refers to linked items by index, and copies those that are not among the items', () => {
    const other = { json: { other: true } };
    const pairedItem = (_name: string, index: number): ScopeItem | undefined => [ITEMS[1], other, undefined][index];
    expect(copyNode(scopeOf({ pairedItem }), 'A', { ...NONE, pairedItems: 3 })?.paired).toEqual([
      1,
      { item: other },
      { item: null },
    ]);
    expect(copyNode(scopeOf({ pairedItem: missing }), 'A', { ...NONE, pairedItems: 1 })?.paired).toEqual([
      { error: { message: 'no such output', description: 'why' } },
    ]);
  });

  it('has the requested outputs and runs, or all of them', () => {
    const nodeOutput: ExpressionScope['nodeOutput'] = (_name, { output = 0, run = 0 } = {}) =>
      output > 1 || run > 1 ? missing() : [{ json: { output, run } }];
    expect(
      Object.keys(
        copyNode(scopeOf({ nodeOutput }), 'A', {
          ...NONE,
          outputs: [
            { output: 1, run: -1 },
            { output: 7, run: undefined },
          ],
        })?.choices ?? {},
      ),
    ).toEqual(['1/-1', '7/']);
    const all = copyNode(scopeOf({ nodeOutput }), 'A', { ...NONE, outputs: 'any' })?.choices ?? {};
    expect(Object.keys(all).sort()).toEqual(
      ['/', '/-1', '/0', '/1', '0/', '0/-1', '0/0', '0/1', '1/', '1/-1', '1/0', '1/1'].sort(),
    );
    expect(all['1/1']).toEqual({ items: [{ json: { output: 1, run: 1 } }] });
  });
});
