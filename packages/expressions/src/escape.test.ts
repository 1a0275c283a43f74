import { bodyValue, errorOf, valueOf } from './testing/fixed-scope';
import { FORBIDDEN, OPTIONS, outcome } from './testing/leak';

const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => `({}).${name}`,
  (name) => `$json.a.${name}`,
  (name) => `$json["${name}"]`,
  (name) => `"".${name}`,
  (name) => `[]["${name}"]`,
  (name) => `[][\`${name}\`]`,
  (name) => `[][["${name}"]]`,
  (name) => `[]["${name.slice(0, 3)}" + "${name.slice(3)}"]`,
  (name) => `[][\`\${"${name.slice(0, 4)}"}${name.slice(4)}\`]`,
  (name) => `(() => {})["${name.split('').join('" + "')}"]`,
  (name) => `Object["${name}"]`,
  (name) => `Error.${name}`,
  (name) => `Math?.${name}`,
  (name) => `$now["${name}"]`,
  (name) => `DateTime["${name}"]`,
  (name) => `$input["${name}"]`,
  (name) => `$("Other")["${name}"]`,
  (name) => `(() => { const { ${name}: x } = {}; return x })()`,
  (name) => `(({ ${name}: x }) => x)(() => 1)`,
  (name) => `(() => { const k = "${name}"; const { [k]: x } = []; return x })()`,
  (name) => `(() => { let x; ({ ["${name}"]: x } = {}); return x })()`,
  (name) => `(() => { const o = {}; o["${name}"] = 1; return o })()`,
  (name) => `({ ["${name}"]: 1 })`,
  (name) => `({ ${name}: 1 })`,
  (name) => `({}).${name}()`,
  (name) => `"".trim["${name}"]`,
  (name) => `/x/["${name}"]`,
  (name) => `new Map()["${name}"]`,
  (name) => `extend({}, "${name}", [])`,
  (name) => `extendOptional(() => 1, { toString: () => "${name}" })`,
  (name) => `"${name}" in {}`,
  (name) => `delete ({})["${name}"]`,
  (name) => `(() => { const o = {}; o["${name}"]++; return o })()`,
  (name) => `$jmespath({ a: 1 }, "${name}")`,
  (name) => `$jmespath({ a: 1 }, "a.${name}")`,
  (name) => `$jmespath({ a: 1 }, "{ x: \\"${name}\\" }")`,
  (name) => `$jmespath({ a: 1 }, "{ ${name}: a }")`,
  (name) => `$jmespath({ a: 1 }, "@.${name}.${name}")`,
  (name) => `String.fromCharCode(${[...name].map((letter) => letter.charCodeAt(0)).join(',')}) in $json`,
  (name) => `(() => { const ${name} = 1; return ${name} })()`,
  (name) => `((${name}) => ${name})(1)`,
  (name) => name,
];

describe('a forbidden name', () => {
  it.each(FORBIDDEN)('%s is refused for security in every spelling', (name) => {
    for (const spell of SPELLINGS) {
      const body = spell(name);
      const error = errorOf(`={{ ${body} }}`, OPTIONS);
      expect([body, error.type]).toEqual([body, 'security']);
      expect(error.message).toContain('due to security concerns');
    }
  });

  it('cannot slip through a string that changes between check and use', () => {
    const body =
      '(() => { let n = 0; const key = { toString: () => (n++ === 0 ? "ok" : "constructor") }; return ' +
      '({})[key] ?? ({})[key] })()';
    expect(errorOf(`={{ ${body} }}`).type).toBe('security');
  });

  it('cannot be caught', () => {
    expect(errorOf('={{ (() => { try { return ({})["con" + "structor"] } catch { return "caught" } })() }}').type).toBe(
      'security',
    );
  });

  it.each(['arguments', 'caller', 'callee'])(
    '%s is refused on functions, and a field of data like any other',
    (name) => {
      expect(errorOf(`={{ (() => 1)["${name}"] }}`).type).toBe('security');
      expect(bodyValue(`$json.${name}`, { items: [{ [name]: 'data' }] })).toBe('data');
      expect(bodyValue(`$json.${name}`)).toBeUndefined();
    },
  );
});

describe('a name that every host object has', () => {
  it.each(Object.getOwnPropertyNames(Object.prototype))('%s does not lead to a function of the host', (name) => {
    for (const body of [
      `$json.${name}`,
      `$json.a.list.${name}`,
      `$('Other').item.json.${name}`,
      `$node.Other.json['${name}']`,
      `$json.s.${name}`,
      `($json).${name}`,
    ]) {
      expect([body, outcome(body)]).toEqual([body, undefined]);
    }
  });
});

describe('an attack on the host', () => {
  it.each([
    'globalThis',
    'window',
    'self',
    'global',
    'process',
    'this',
    'process.env',
    'this.process',
    'globalThis.process?.env',
    'process.mainModule',
    'require("fs")',
    'module.exports',
    'eval("1")',
    'Function("return 1")()',
    'new Function("return 1")()',
    '(() => {}).constructor("return 1")()',
    'setTimeout(() => 1)',
    'fetch("https://weft.example")',
    'Reflect.get({}, "a")',
    'Reflect.ownKeys($json)',
    'new Proxy({}, {})',
    'Promise.resolve(1)',
    'Symbol.iterator',
    '[][Symbol.iterator]',
    'WebAssembly',
    'Atomics',
    'new SharedArrayBuffer(8)',
    'new WeakRef({})',
    'structuredClone({})',
    'queueMicrotask(() => 1)',
    '(function () { return this })()',
    '(() => this)()',
    '[1].map(function () { return this })[0]',
    '(function () { return this.process.env })()',
    '({ f() { return this } }).f()',
    '({ ...process })',
    '({ ...globalThis })',
    '((p = process) => p)()',
    '[...process]',
    'Object.assign({}, process)',
    'Object.entries(Math)',
    'Object.keys(JSON)',
    'JSON.stringify(Math)',
    '({ ...Math })',
    '({ ...DateTime })',
    '[Math.max, String, [].map]',
    '({ f: () => 1, g: DateTime })',
    'Math.max.toString()',
    'String(() => 1)',
    '`${DateTime}`',
    '"x".replace(/x/, String)',
    '[1, 2].map(parseInt)',
    '[Object].map(o => o.keys)',
    'Object.keys.call',
    '"a".trim.call.call',
    '[].map.apply([1], [x => x])',
    '"".at.bind("ab")',
    'new (Object.keys)()',
    'new Math.max()',
    'new (() => 1)()',
    'new ("a".trim)()',
    'DateTime.now().__proto__',
    'DateTime.now().constructor',
    'DateTime.prototype',
    '$now.toJSDate().constructor',
    '$now.zone',
    '$now.loc',
    '$now.c',
    '$now.ts',
    '$now.weekData',
    '$now.get("constructor")',
    '$now.get("loc")',
    '$now.get("__proto__")',
    'Duration.fromObject({ days: 1 }).get("constructor")',
    'Duration.fromObject({ days: 1 }).get("loc")',
    'DateTime.fromObject({ year: 2020, toString: () => 1 })',
    'DateTime.fromISO({ length: 1, toString: () => "2020" })',
    '$now.setZone({ name: "x", offset: () => 0, isValid: true, type: "y" })',
    '$now.toFormat("yyyy", { numberingSystem: { toString: () => "x" } })',
    '$now.plus({ days: { valueOf: () => 1 } })',
    'DateTime.fromFormat("1", "d", { locale: {} })',
    'Duration.fromObject({ days: () => 1 })',
    'new Error("x").stack',
    'new Error("x").__proto__',
    '(() => { try { null.x } catch (e) { return [e, e.stack, e.cause] } })()',
    '(() => { try { $("No").item } catch (e) { return e.cause } })()',
    '(() => { try { [].reduce((a) => a) } catch (e) { return e } })()',
    '(() => { try { new RegExp("(") } catch (e) { return e } })()',
    '(() => { try { "x".repeat(-1) } catch (e) { return e } })()',
    'JSON.parse(\'{"__proto__": {"polluted": 1}}\')',
    'JSON.parse(\'{"\\\\u005f_proto__": {"polluted": 1}}\')',
    '"{\\"__proto__\\": {\\"polluted\\": 1}}".parseJson()',
    '({ __proto__: { polluted: 1 } })',
    '({ ["__proto__"]: { polluted: 1 } })',
    '({ ...JSON.parse(\'{"__proto__": 1}\') })',
    'Object.assign({}, JSON.parse(\'{"__proto__": {"polluted": 1}}\'))',
    'Object.fromEntries([["__proto__", { polluted: 1 }]])',
    'zip(["__proto__"], [{ polluted: 1 }])',
    '[{ k: "__proto__", v: { polluted: 1 } }].smartJoin("k", "v")',
    '[{ a: { polluted: 1 } }].renameKeys("a", "__proto__")',
    '({ a: 1 }).merge(JSON.parse(\'{"__proto__": {"polluted": 1}}\'))',
    'Object.groupBy([1], () => "__proto__")',
    '"ab".match(/(?<__proto__>a)/).groups',
    '({ ..."ab".match(/(?<__proto__>a)/).groups })',
    '(() => { const o = {}; o.__proto__ = { polluted: 1 }; return o })()',
    '(() => { const o = {}; o["__pro" + "to__"] = { polluted: 1 }; return o })()',
    '(() => { const [...__proto__] = [1] })()',
    'Object.create({ polluted: 1 })',
    'Object.create(null)',
    'new Map([["__proto__", 1]])',
    '(() => { $json.toString = () => "x"; return $json })()',
    '(() => { Math.max = 1; return Math.max(2, 3) })()',
    '(() => { Object.keys = 1; return 1 })()',
    '(() => { $json = 1; return $json })()',
    '(() => { undefinedName = () => 1; return undefinedName })()',
    '___n8n_data',
    '(() => { __sanitize = a => a; return this["const" + "ructor"] })()',
    '$jmespath({ a: 1 }, "&a")',
    '$jmespath({ a: { jmespathType: "Expref", type: "Field", name: "constructor" } }, "sort_by([@], a)")',
    '$jmespath({ a: 1 }, "\\"\\\\u0063onstructor\\"")',
    '$jmespath($json, "keys(@)")',
    '$jmespath({ a: 1 }, "constructor(@)")',
    '$jmespath(() => 1, "name")',
    '$jmespath(Math, "PI")',
    '$jmespath(process, "env")',
    '$evaluateExpression("{" + "{ ({})[\'con\' + \'structor\'] }" + "}")',
    '"x".replace("x", (m) => m.constructor)',
    '"x".replace(/x/, "$<constructor>")',
    '"x".replace(/(?<a>x)/, "$<__proto__>")',
    '[1].reduce((a, b) => a.constructor, 1)',
    '[1, 2].sort((a, b) => a.constructor)',
    'Array.from([1], (x) => x.constructor)',
    'JSON.stringify({ a: 1 }, (k, v) => v?.constructor)',
    'JSON.stringify({ toJSON: () => (() => 1) })',
    'JSON.parse("{}", function () { return this })',
    '[[]].flatMap((x) => x.constructor)',
    '$input.all().map(i => i.constructor)',
    '$node.constructor',
    '$node["__proto__"]',
    '$("constructor")',
    '$items("__proto__")',
    '$vars.constructor',
    '$env.__proto__',
    '$execution.constructor',
    '$workflow["__proto__"]',
    'new URL("https://weft.example").searchParams.constructor',
    'new URL("file:///etc/passwd").href',
    'URL.createObjectURL',
    'new Intl.NumberFormat().constructor',
    'Intl.constructor',
    'Intl.Collator.prototype',
    'new Intl.Collator().compare.constructor',
    'new Intl.PluralRules("en")["const" + "ructor"]',
    'new Intl.ListFormat("en").format([() => 1])',
    'new Intl.DateTimeFormat("en").formatToParts(0)[0].constructor',
    'new Intl.NumberFormat("en").resolvedOptions().__proto__',
    'new Intl.DisplayNames("en", { type: "__proto__" })',
    'new Intl.Segmenter("en").segment("ab").constructor',
    '[...new Intl.Segmenter("en").segment("ab")][0].__proto__',
    'Intl.supportedValuesOf',
    'new Date().constructor',
    'Date.prototype',
    'new (class {})()',
    '(async () => 1)()',
    '(function* () {})()',
    'import("fs")',
    '(function f() { return f.caller })()',
    '(function () { return arguments.callee })()',
    '(() => arguments)()',
    '(function () { return arguments })().constructor',
    '((...a) => a.__proto__)()',
    'String.raw({ raw: { length: 1, 0: "x" } })',
    'String.raw`${process}`',
    '(t => t.raw.constructor)`x`',
  ])('%s gives data or an error', (body) => {
    const before = {
      globals: Object.getOwnPropertyNames(globalThis).length,
      object: Object.getOwnPropertyNames(Object.prototype).join(),
      array: Object.getOwnPropertyNames(Array.prototype).join(),
    };
    expect(outcome(body)).toBeUndefined();
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect({
      globals: Object.getOwnPropertyNames(globalThis).length,
      object: Object.getOwnPropertyNames(Object.prototype).join(),
      array: Object.getOwnPropertyNames(Array.prototype).join(),
    }).toEqual(before);
  });

  it.each([
    'globalThis',
    'window',
    'Function',
    'fetch',
    'Proxy',
    'Reflect',
    'Promise',
    'eval',
    'setTimeout',
    'Buffer',
    'require',
  ])('finds an empty object at %s', (name) => {
    expect(bodyValue(name)).toEqual({});
    expect(bodyValue(`${name}.anything`)).toBeUndefined();
    expect(bodyValue(`${name}.call(1)`)).toBeUndefined();
  });

  it('finds the same members at process as in n8n, and none of the real process', () => {
    expect(bodyValue('typeof process.pid')).toBe('number');
    expect(bodyValue('process')).toEqual({
      arch: process.arch,
      env: {},
      platform: process.platform,
      pid: 1,
      ppid: 0,
      release: { name: 'node' },
      version: process.version,
      versions: { node: process.versions.node },
    });
    expect(bodyValue('process.env.PATH')).toBeUndefined();
    expect(bodyValue('process.exit')).toBeUndefined();
    expect(bodyValue('(() => { process.pid = 7; process.env.A = 1; return process.pid })()')).toBe(1);
    expect(bodyValue('process.env')).toEqual({});
  });

  it('finds nothing behind a name that tests planted', () => {
    Reflect.set(globalThis, 'weftSecret', 'host');
    try {
      expect(bodyValue('weftSecret')).toBeUndefined();
      expect(valueOf('=<{{ globalThis.weftSecret }}{{ this.weftSecret }}>')).toBe('<>');
    } finally {
      Reflect.deleteProperty(globalThis, 'weftSecret');
    }
  });
});
