import fc from 'fast-check';
import { bodyValue } from './testing/fixed-scope';
import { expressionText } from './testing/programs';

const data = () => ({ a: 1, b: 'two', c: null, list: [3, 1, 2], name: 'Hello', deep: { a: { b: [1] }, list: [] } });

describe("the scope's data", () => {
  it.each<readonly [string, unknown]>([
    ['$json.list.sort().join()', '1,2,3'],
    ['$json.list.reverse()', [2, 1, 3]],
    [
      '(() => { $json.list.push(4); $json.a = 5; delete $json.b; return [$json.list.length, $json.a, $json.b] })()',
      [4, 5, undefined],
    ],
    ['(() => { const d = $json.deep; d.a.b[0] = 9; return $json.deep.a.b })()', [9]],
    ['Object.assign($json, { a: 2 }).a', 2],
    ['$input.all().map(i => { i.json.a = 7; return i.json.a })', [7]],
    ["$('Other').first().json.list.splice(0, 2).length + $('Other').item.json.list.length", 3],
    ['$json.list.reduce((all, n) => { all[n] = true; return all }, {})', { 1: true, 2: true, 3: true }],
    ['(() => { const out = []; for (const n of $json.list) out.push(n); out.sort(); return out })()', [1, 2, 3]],
    ['JSON.parse(JSON.stringify($json)).list.sort()', [1, 2, 3]],
    ['[$json.list].map(list => list.concat()).at(0).sort()', [1, 2, 3]],
  ])('%s works on a copy', (body, value) => {
    const [item, other] = [data(), data()];
    expect(bodyValue(body, { items: [item], nodes: { Other: [other] } })).toEqual(value);
    expect(item).toEqual(data());
    expect(other).toEqual(data());
  });

  it('is the same for the next evaluation of a string that changes it', () => {
    const item = data();
    const read = (): unknown =>
      bodyValue('(() => { $json.list.push(0); return $json.list.length })()', { items: [item] });
    expect([read(), read()]).toEqual([4, 4]);
  });

  it.each([
    'DateTime.DATE_FULL.month = "short"',
    'delete DateTime.DATE_FULL.month',
    'Object.assign(DateTime.DATE_FULL, { month: "short" })',
  ])('%s changes nothing for the next evaluation either', (change) => {
    bodyValue(`(() => { ${change}; return 1 })()`);
    expect(bodyValue('DateTime.DATE_FULL.month')).toBe('long');
  });

  it('includes the parameters of the node', () => {
    const parameters = { options: { list: [1] } };
    const body = '(() => { const { options } = $parameter; options.list.push(2); return options.list.length })()';
    expect(bodyValue(body, { parameters })).toBe(2);
    expect(parameters).toEqual({ options: { list: [1] } });
  });

  it('is never changed, whatever an expression does', () => {
    fc.assert(
      fc.property(expressionText, (text) => {
        const item = data();
        try {
          bodyValue(`(${text})`, { items: [item] });
        } catch {
          // How it ends is not asked here.
        }
        expect(item).toEqual(data());
      }),
      { numRuns: 500 },
    );
  });
});
