import { EMPTY_INPUT } from '../code/code-data';
import { isPlainCode } from './plain-code';
import { ProcessRealms } from './process-realms';
import { Realms } from './realms';
import { runInRealm } from './run-in-realm';

/** Counts the realms that are created. */
class CountedRealms extends Realms {
  made = 0;
  madeShared = 0;

  override make(): ReturnType<Realms['make']> {
    this.made += 1;
    return super.make();
  }

  override makeShared(): ReturnType<Realms['makeShared']> {
    this.madeShared += 1;
    return super.makeShared();
  }
}

const open = () => {
  const counted = new CountedRealms(() => '{}');
  const realms = new ProcessRealms(counted);
  const run = (body: string): unknown => {
    const code = counted.compile(`(async function () {${body}\n})`);
    if (typeof code === 'string') throw new Error(code);
    const outcome = realms.run(code, JSON.stringify(EMPTY_INPUT));
    realms.restore(code, outcome);
    if (typeof outcome !== 'string') throw new Error(outcome.stopped);
    const { value, error }: { value?: { value?: unknown }; error?: { message: string } } = JSON.parse(outcome);
    return error === undefined ? value?.value : error.message;
  };
  return { counted, run };
};

const WAY = "const c = 'con' + 'structor', p = 'proto' + 'type', O = ({})[c]; ";
const LIST = `${WAY}const list = [][c][p]; `;

/** Plain code that hides something, and plain code that looks for it. */
const LEFTOVERS: readonly (readonly [name: string, first: string, second: string, found: unknown])[] = [
  ['a method', `${LIST}list.map = () => 'left'`, 'return [1].map((n) => n)', [1]],
  ['a method of dates', `${WAY}new Date()[c][p].getTime = () => 'left'`, 'return new Date(0).getTime()', 0],
  [
    'a new property',
    `${LIST}list.left = 1; O[p].left = 1`,
    'return [typeof [].left, typeof {}.left]',
    Array(2).fill('undefined'),
  ],
  [
    'an accessor',
    `${LIST}O['define' + 'Property'](list, 'map', { get: () => () => 'left' })`,
    'return [1].map((n) => n)',
    [1],
  ],
  ['a deleted method', `${LIST}delete list.map`, 'return typeof [].map', 'function'],
  ['a prototype', `${LIST}O['setPrototype' + 'Of'](list, { left: 1 })`, 'return typeof [].left', 'undefined'],
  ['a symbol', `${LIST}list[Symbol.iterator] = function* () { yield 'left' }`, 'return [...[1]]', [1]],
  ['a property of a function', 'const f = [].map; f.left = 1', 'return typeof [].map.left', 'undefined'],
  ['a constructor', `${WAY}const A = [][c]; A.from = () => 'left'`, 'return Array.from([1])', [1]],
  [
    'an accessor of errors',
    "const f = Object.getOwnPropertyDescriptor(new Error('a'), 'stack')?.get; if (f) f.left = 1",
    "return typeof Object.getOwnPropertyDescriptor(new Error('a'), 'stack')?.get?.left",
    'undefined',
  ],
  [
    'what a helper of iterators has',
    `${WAY}const i = [].values().map((n) => n); O['getPrototype' + 'Of'](i).left = 1`,
    'return typeof [].values().map((n) => n).left',
    'undefined',
  ],
  ['the last match', '/(secret)/.exec("secret")', 'return [RegExp.$1, RegExp.lastMatch, RegExp.input]', ['', '', '']],
  ['a global name', '{ let left } left = 1', '{ let left } return typeof left', 'undefined'],
  ['an own name', '{ let $json } $json = { left: 1 }', 'return $json', {}],
  ['a name of the run', '{ let item } item = 1', '{ let item } return typeof item', 'undefined'],
  ['a module', '{ let Buffer } Buffer.from = 1', '{ let Buffer } return typeof Buffer.from', 'function'],
  [
    'a prototype of the global object',
    `{ let globalThis } ${WAY}O['setPrototype' + 'Of'](globalThis, { left: 1 })`,
    '{ let left } return typeof left',
    'undefined',
  ],
  [
    'a global object that takes no names',
    `{ let globalThis } ${WAY}O['prevent' + 'Extensions'](globalThis)`,
    'return items.length',
    1,
  ],
  [
    'the number of a timer',
    '{ let setTimeout, clearTimeout } clearTimeout(setTimeout(() => {}, 1))',
    '{ let setTimeout } return setTimeout(() => {}, 1)',
    1,
  ],
  [
    'a list that takes no properties',
    `${LIST}O['prevent' + 'Extensions'](list)`,
    `${LIST}return O['isExten' + 'sible'](list)`,
    true,
  ],
  ['a value for a module', '{ let Buffer } Buffer = "left"', '{ let Buffer } return typeof Buffer', 'function'],
  [
    'a timer',
    `{ let setTimeout } ${LIST}setTimeout(() => { list.left = 1 }, 0)`,
    '{ let setTimeout } await new Promise((done) => setTimeout(done, 5)); return typeof [].left',
    'undefined',
  ],
  ['a function of the global object', '{ let $min } $min = () => "left"', 'return $min(1, 2)', 1],
  [
    'its own function',
    '{ let arguments } const f = arguments["cal" + "lee"]; f.n = (f.n ?? 0) + 1; return f.n ?? 0',
    '{ let arguments } const f = arguments["cal" + "lee"]; f.n = (f.n ?? 0) + 1; return f.n ?? 0',
    0,
  ],
  ['a value of the console', '{ let console } console.log = 1', 'return typeof console.log', 'function'],
];

/** The objects of the language that stay open or keep assignable values, by how code reaches them. */
const OPEN: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    [Array, Map, Object, Promise, RegExp, Set, String].map(({ name, prototype }) => [`${name}.prototype`, prototype]),
  ),
  'Object.getPrototypeOf([].values())': Object.getPrototypeOf([].values()),
  'Object.getPrototypeOf(new Set().values())': Object.getPrototypeOf(new Set().values()),
  'Object.getPrototypeOf(new Map().values())': Object.getPrototypeOf(new Map().values()),
};

/** Replacements of a function that a check could use. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  'a function that says yes': '() => true',
  'a function that says nothing': '() => []',
  'a function that never returns': '() => { for (;;); }',
};

describe('a shared realm', () => {
  const realms = new Realms(() => '{}');
  const keyText = (key: PropertyKey): string =>
    typeof key === 'symbol' ? `${key.description}` : JSON.stringify(String(key));
  const replaced = Object.entries(OPEN).flatMap(([path, object]) =>
    Reflect.ownKeys(object)
      .filter((key) => {
        const { value, get } = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
        return typeof value === 'function' || get !== undefined;
      })
      .flatMap((key) =>
        Object.entries(REPLACEMENTS).map(([what, text]) => [`${path}.${String(key)}`, what, path, key, text] as const),
      ),
  );

  it.each(replaced)('is discarded after %s became %s', (_name, _what, path, key, text) => {
    const realm = realms.makeShared();
    realms.evaluate(realm, `Object.defineProperty(${path}, ${keyText(key)}, { value: ${text} }); undefined`);
    expect(realm.restore?.()).toBe(false);
  });

  it('is kept after code that changes nothing', () => {
    const realm = realms.makeShared();
    const code = realms.compile('(async function () { return [1, 2].map(String) })');
    if (typeof code === 'string') throw new Error(code);
    for (let n = 0; n < 3; n += 1) {
      expect(runInRealm(realms, realm, code, JSON.stringify(EMPTY_INPUT))).toContain('"1"');
      expect(realm.restore?.()).toBe(true);
    }
  });
});

describe('the realms of a process', () => {
  it('are shared by all runs of plain code, and separate for other code', () => {
    const { counted, run } = open();
    expect([1, 2, 3].map((n) => run(`return ${n}`))).toEqual([1, 2, 3]);
    expect(counted).toMatchObject({ made: 1, madeShared: 1 });
    expect(run('return typeof globalThis')).toBe('object');
    expect(counted).toMatchObject({ made: 2, madeShared: 1 });
  });

  it.each(LEFTOVERS)('pass nothing from plain code to the next run: %s', (_, first, second, found) => {
    const { run } = open();
    for (const body of [first, second]) expect(isPlainCode(`(async function () {${body}\n})`)).toBe(true);
    run('return 1');
    run(first);
    expect(run(second)).toEqual(found);
  });

  it('are no longer shared by code that has spoilt three', () => {
    const { counted, run } = open();
    for (let n = 0; n < 5; n += 1) run(`${LIST}list.left = ${n}`);
    expect(counted).toMatchObject({ made: 3, madeShared: 3 });
    expect(run('return typeof [].left')).toBe('undefined');
  });

  it('do not compile strings for code that looks plain', () => {
    expect(open().run(`${WAY}return (() => {})[c]('return 1')()`)).toMatch(/^Code generation from strings disallowed/);
  });

  it('leak nothing to other runs from code that throws or never settles', () => {
    const { counted, run } = open();
    expect(run('throw new Error("bad")')).toBe('bad');
    expect(() => run('await new Promise(() => {})')).toThrow('never');
    expect(run('return [typeof items, items.length]')).toEqual(['object', 1]);
    expect(counted.madeShared).toBe(2);
  });
});
