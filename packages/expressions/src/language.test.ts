import { bodyValue } from './testing/fixed-scope';

const ITEM = { count: 3, tags: ['red', 'green'], person: { name: 'Ada', born: 1815 }, empty: null };

const cases: readonly (readonly [body: string, value: unknown])[] = [
  // literals, operators
  ['0x10 + 0b11 + 0o7 + 1_000', 1026],
  ['"a" + 1 + true + null + undefined', 'a1truenullundefined'],
  ['7 % 3 ** 2', 7],
  ['-2 >>> 28', 15],
  ['"10" - "4"', 6],
  ['"b" > "a" && 2 < 10', true],
  ['null == undefined', true],
  ['null === undefined', false],
  ['[1] == "1"', true],
  ['NaN !== NaN', true],
  ['typeof null + typeof [] + typeof (() => 1) + typeof missing', 'objectobjectfunctionundefined'],
  ['"name" in $json.person', true],
  ['"x" in $json.person', false],
  ['void $json.count', undefined],
  ['(1, 2, 3)', 3],
  ['$json.count > 2 ? "many" : "few"', 'many'],
  ['$json.empty ?? "none"', 'none'],
  ['0 || "zero"', 'zero'],
  // templates
  ['`${$json.person.name} (${$json.tags})`', 'Ada (red,green)'],
  ['((texts, ...values) => texts.raw.join("|") + values)`a${1}\\n${2}c`', 'a|\\n|c1,2'],
  ['String.raw`a\\n${1 + 1}`', 'a\\n2'],
  // members and chains
  ['$json.tags[$json.tags.length - 1]', 'green'],
  ['$json["person"]["na" + "me"]', 'Ada'],
  ['$json.nobody?.name.first', undefined],
  ['$json.nobody?.[0]?.()', undefined],
  ['$json.person.name?.toUpperCase?.()', 'ADA'],
  ['$json.person.shout?.()', undefined],
  ['($json.nobody?.x)?.y', undefined],
  // methods that values of every type have
  ['["text", "length", 0, "0", 9].map((key) => "abc".hasOwnProperty(key))', [false, true, true, true, false]],
  ['[0, "0", 2, "length"].map((key) => $json.tags.hasOwnProperty(key))', [true, true, false, true]],
  ['[(5).hasOwnProperty("x"), true.hasOwnProperty("x"), new Date().hasOwnProperty("x")]', [false, false, false]],
  ['[$json.person.hasOwnProperty("name"), $json.person.hasOwnProperty("toString")]', [true, false]],
  ['[$now.hasOwnProperty("ts"), /a/.hasOwnProperty("source"), new Map().hasOwnProperty("size")]', [true, false, false]],
  ['["a".propertyIsEnumerable(0), "a".propertyIsEnumerable("length"), "a".isPrototypeOf("b")]', [true, false, false]],
  ['[1, 2].filter([1, 2].hasOwnProperty, [5, 6]).length', 1],
  ['Object.hasOwn("abc", "length")', true],
  ['[...new Set([1, 2]).union(new Set([2, 3]))].concat(new Set([1]).isSubsetOf(new Set([1, 2])))', [1, 2, 3, true]],
  [
    '[true.toLocaleString(), "a".toWellFormed(), [1, 2].valueOf(), String(new Set())]',
    ['true', 'a', [1, 2], '[object Set]'],
  ],
  [
    '"a & b".bold() + "x".link(\'https://a.b/?q="1"\') + "y".sup()',
    '<b>a & b</b><a href="https://a.b/?q=&quot;1&quot;">x</a><sup>y</sup>',
  ],
  ['Object.create(null, { a: { value: 1 } })', { a: 1 }],
  ['Object.create($json.person).name', 'Ada'],
  ['Object.getOwnPropertyNames({ a: 1, b: 2 })', ['a', 'b']],
  // lists and objects
  ['[...$json.tags, ..."ab", ...new Set([1, 1])]', ['red', 'green', 'a', 'b', 1]],
  ['({ ...$json.person, name: "Eve", ["x" + 1]: 2, f() { return this.name } }).f()', 'Eve'],
  ['[1, , 2].length', 3],
  // functions
  [
    '(({ name, born: year = 0, ...rest }, [first] = ["x"], ...others) => [name, year, rest, first, ' +
      'others])($json.person, undefined, 1, 2)',
    ['Ada', 1815, {}, 'x', [1, 2]],
  ],
  ['(function fact(n) { return n < 2 ? 1 : n * fact(n - 1) })(10)', 3628800],
  ['(function () { return arguments.length })(1, 2, 3)', 3],
  ['[1, 2].map(function (n) { return n * this.by }, { by: 10 })', [10, 20]],
  ['((a, b = a + 1) => [a, b])(1)', [1, 2]],
  ['Math.max.apply(null, [1, 5, 2]) + Math.min.call(null, 4, 2)', 7],
  ['((a, b) => a - b).bind(null, 10)(3)', 7],
  ['["1", "2", "3"].map(Number)', [1, 2, 3]],
  // statements
  [
    '(() => { let n = 0; for (let i = 0; i < 5; i++) { if (i === 1) continue; if (i === 4) break; n += i } ' +
      'return n })()',
    5,
  ],
  [
    '(() => { const out = []; for (const [k, v] of Object.entries($json.person)) out.push(k + v); return out })()',
    ['nameAda', 'born1815'],
  ],
  ['(() => { const out = []; for (const k in { a: 1, b: 2 }) out.push(k); return out.join() })()', 'a,b'],
  ['(() => { let i = 0; do { i++ } while (i < 3); while (i < 10) i += 4; return i })()', 11],
  [
    '(() => { outer: for (let i = 0; ; i++) { for (;;) { if (i > 2) break outer; continue outer } } return "out" })()',
    'out',
  ],
  [
    '(() => { switch ($json.count) { case 1: return "one"; case 3: case 4: return "some"; default: return ' +
      '"many" } })()',
    'some',
  ],
  ['(() => { const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); return fs.map(f => f()) })()', [0, 1, 2]],
  ['(() => { const fs = []; for (var i = 0; i < 3; i++) fs.push(() => i); return fs.map(f => f()) })()', [3, 3, 3]],
  ['(() => { return later(); function later() { return "hoisted" } })()', 'hoisted'],
  ['(() => { total = 0; for (x of [1, 2]) total += x; return total })()', 3],
  ['(() => { let a = 1, b = 2; [a, b] = [b, a]; return [a, b] })()', [2, 1]],
  [
    '(() => { let o = { n: 1, m: null }; o.n++; o.n **= 3; o.m ??= "set"; o["k"] ||= 4; delete o.zz; return o })()',
    { n: 8, m: 'set', k: 4 },
  ],
  ['(() => { const a = []; a[2] = "x"; a.length = 4; return a.length + typeof a[0] })()', '4undefined'],
  // exceptions
  [
    '(() => { try { throw new TypeError("no") } catch ({ name, message }) { return name + message } finally { 1 } })()',
    'TypeErrorno',
  ],
  [
    '(() => { try { return $json.nobody.name } catch (e) { return e instanceof TypeError && e instanceof Error } })()',
    true,
  ],
  ['(() => { try { return "try" } finally { return "finally" } })()', 'finally'],
  ['(() => { try { return later; let later = 1 } catch (e) { return e.name } })()', 'ReferenceError'],
  ['(() => { const c = 1; try { c = 2 } catch { return "const" } })()', 'const'],
  ['(() => { throw "it" })()', undefined],
  ['$json.nobody.name', undefined],
  ['notAFunction()', undefined],
  ['notDeclared', undefined],
  // types
  ['new Map([["a", 1]]).set("b", 2).size', 2],
  ['[...new Map([["a", 1]]).entries()]', [['a', 1]]],
  ['Array.from({ length: 3 }, (_, i) => i * i)', [0, 1, 4]],
  ['Object.fromEntries([["a", 1], ["b", 2]])', { a: 1, b: 2 }],
  [
    'JSON.parse(JSON.stringify({ a: [1, undefined, () => 1], d: new Date(0) }))',
    { a: [1, null, null], d: '1970-01-01T00:00:00.000Z' },
  ],
  ['JSON.stringify({ a: 1, b: [1, { c: 2 }] }, null, 2)', JSON.stringify({ a: 1, b: [1, { c: 2 }] }, null, 2)],
  ['JSON.stringify({ a: 1, b: 2 }, ["b"])', '{"b":2}'],
  ['JSON.parse("[1, 2]", (k, v) => typeof v === "number" ? v + 1 : v)', [2, 3]],
  ['new Error("broken").message + String(new RangeError("far"))', 'brokenRangeError: far'],
  ['new URL("https://weft.example:8080/a/b?x=1#y").searchParams.get("x")', '1'],
  ['new Intl.NumberFormat("de-DE", { minimumFractionDigits: 2 }).format(1234.5)', '1.234,50'],
  ['Intl.NumberFormat("de").formatToParts(1.5).map((part) => part.type)', ['integer', 'decimal', 'fraction']],
  ['new Intl.DateTimeFormat("en-US", { dateStyle: "medium" }).format(new Date(0))', 'Jan 1, 1970'],
  ['new Intl.DateTimeFormat("en").formatRange(new Date(0), new Date(864e5)).split(/\\s/)[2]', '1/2/1970'],
  ['Intl.DateTimeFormat().resolvedOptions().timeZone', 'UTC'],
  ['DateTime.fromISO("2026-03-04").get("day") + Duration.fromObject({ days: 5 }).get("days")', 9],
  ['[1, 2].map(new Intl.PluralRules("en").select)', ['one', 'other']],
  ['new Intl.PluralRules("en", { type: "ordinal" }).select(3)', 'few'],
  ['new Intl.ListFormat("en").format(new Set(["a", "b", "c"]))', 'a, b, and c'],
  ['new Intl.ListFormat("en", { type: "disjunction" }).format(["a", "b"])', 'a or b'],
  ['new Intl.ListFormat("en").format([1])', undefined],
  ['new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day")', 'yesterday'],
  ['new Intl.RelativeTimeFormat("en").format(1, "fortnight")', undefined],
  ['["z", "ä", "a"].sort(new Intl.Collator("de").compare)', ['a', 'ä', 'z']],
  ['["a10", "a9"].sort(new Intl.Collator("en", { numeric: true }).compare)', ['a9', 'a10']],
  ['new Intl.DisplayNames(["de"], { type: "region" }).of("FR")', 'Frankreich'],
  ['new Intl.DisplayNames(["de"])', undefined],
  ['[...new Intl.Segmenter("en").segment("e\u0301a")].map(({ segment }) => segment)', ['e\u0301', 'a']],
  ['[Intl.Collator("en") instanceof Intl.Collator, Intl.PluralRules("en")]', undefined],
  ['new Intl.Collator("en") instanceof Intl.NumberFormat', false],
  ['new Intl.NumberFormat("not a language")', undefined],
  ['[new Date(0).toLocaleDateString({}), (1.5).toLocaleString(["de"])]', ['1/1/1970', '1,5']],
  ['[3, 1, 2].sort((a, b) => b - a)', [3, 2, 1]],
  ['({ toString: () => "own" }) + ""', 'own'],
  ['({ valueOf: () => 41 }) + 1', 42],
  // bodies
  ['$json.count; /* said */', 3],
  ['{ "a": { "b": { "c": 1 }}}', { a: { b: { c: 1 } } }],
];

describe('an expression body', () => {
  it.each(cases)('%s', (body, value) => {
    expect(bodyValue(body, { items: [ITEM] })).toEqual(value);
  });
});
