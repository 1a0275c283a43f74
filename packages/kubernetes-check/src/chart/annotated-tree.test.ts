import { addLayer, treeOf, valueUnder, type Tree } from './annotated-tree';
import type { Json } from './json';

const layered = (base: Json, layers: Readonly<Record<string, Json>>): Tree => {
  const tree = treeOf(base);
  for (const [layer, value] of Object.entries(layers)) addLayer(tree, value, { layer, below: new Set() });
  return tree;
};
const under = (tree: Tree, ...layers: readonly string[]): Json => valueUnder(tree, new Set(layers));

describe('an object with layers', () => {
  it('has the value of a layer with it and that of the base without it', () => {
    const base = { port: 80, labels: { app: 'weft' } };
    const tls = { port: 443, labels: { app: 'weft', tls: 'on' } };
    const tree = layered(base, { tls });
    expect([under(tree), under(tree, 'tls')]).toEqual([base, tls]);
  });

  it('has the changes of two layers together', () => {
    const env = (...names: readonly string[]) => ({ env: names.map((name) => ({ name, value: '1' })) });
    const tree = layered(env('A'), { one: env('B', 'A'), two: env('A', 'C') });
    expect(under(tree, 'one', 'two')).toEqual(env('A', 'B', 'C'));
    expect(under(tree, 'two')).toEqual(env('A', 'C'));
  });

  it('keeps the order of lists without keys', () => {
    const tree = layered({ args: ['a', 'd'] }, { more: { args: ['a', 'b', 'c', 'd'] } });
    expect(under(tree, 'more')).toEqual({ args: ['a', 'b', 'c', 'd'] });
    expect(under(tree)).toEqual({ args: ['a', 'd'] });
  });

  it('loses what a layer removes, with that layer alone', () => {
    const tree = layered({ a: 1, b: { c: 2 } }, { less: { a: 1 } });
    expect([under(tree), under(tree, 'less')]).toEqual([{ a: 1, b: { c: 2 } }, { a: 1 }]);
  });
});
