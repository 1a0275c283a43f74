/** A program of a Code node that computes much and returns little. */
export interface CodeProgram {
  readonly name: string;
  readonly title: string;
  readonly code: string;
}

/** A Code node that does nothing: the cost of a call without the program. */
export const EMPTY_PROGRAM = 'return [{ json: {} }]';

/** The five heavy programs. They are also given to plain Node, so they use nothing of a Code node. */
export const CODE_PROGRAMS: readonly CodeProgram[] = [
  {
    name: 'code-loop',
    title: 'a loop of 3,000,000 turns',
    code: 'let s = 0; for (let i = 0; i < 3e6; i++) s += i % 7; return [{ json: { s } }]',
  },
  {
    name: 'code-sort',
    title: 'sorting 20,000 objects',
    code: `
      const list = Array.from({ length: 20000 }, (_, i) => ({ k: (i * 7919) % 20011, n: 'x' + i }));
      list.sort((x, y) => x.k - y.k);
      const sums = {};
      for (const each of list) sums[each.n] = (sums[each.n] || 0) + each.k;
      return [{ json: { n: Object.keys(sums).length, first: list[0].k } }]`,
  },
  {
    name: 'code-json',
    title: 'JSON of 5,000 objects, read five times',
    code: `
      const text = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ i, a: 'text ' + i, b: [i, i + 1] })));
      let n = 0;
      for (let k = 0; k < 5; k++) n += JSON.parse(text).length;
      return [{ json: { n } }]`,
  },
  {
    name: 'code-regex',
    title: '20,000 regex replacements',
    code: `
      let n = 0;
      for (let i = 0; i < 20000; i++) {
        n += ('order-' + i + '@example.com').replace(/[^a-z0-9]+/g, '-').split('-').length;
      }
      return [{ json: { n } }]`,
  },
  {
    name: 'code-items',
    title: '10,000 items',
    code: `
      return Array.from({ length: 10000 }, (_, i) => ({ json: { i, v: i * 2, name: 'item ' + i } }))
        .map((item) => ({ json: { ...item.json, upper: item.json.name.toUpperCase() } }))
        .slice(0, 1)`,
  },
];
