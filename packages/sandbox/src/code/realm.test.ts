import { SealedPool } from '../pools/sealed-pool';
import { sealArchitecture } from '../seal/system-calls';
import { runScript } from '../testing/run-script';

/** Returns what a function compiled from a string can see of the process, or why it cannot be compiled. */
const LOOK =
  'const look = (F) => { try { return F("return [typeof process, typeof module, typeof fetch, typeof Buffer.poolSize]' +
  '.join()")() } catch (e) { return e.message.slice(0, 30) } }; const NOTHING = ' +
  '"undefined,undefined,undefined,undefined"; ' +
  'const own = (F) => [NOTHING, "Code generation from strings d"].includes(look(F)) || look(F);';

/**
 * Ways from user code to the process around its realm. Each returns true if it leads nowhere, otherwise what it found.
 */
const WAYS: readonly (readonly [name: string, body: string])[] = [
  ['this', 'return own(this.constructor.constructor)'],
  ['the global object', 'return own(globalThis.constructor?.constructor ?? Function)'],
  [
    'the prototype of the global object',
    'return own(Object.getPrototypeOf(globalThis)?.constructor?.constructor ?? Function)',
  ],
  ['async functions', 'return (await (async () => {}).constructor("return typeof process")()) === "undefined"'],
  ['generators', 'return (function* () {}).constructor("return typeof process")().next().value === "undefined"'],
  ['indirect eval', 'return (0, eval)("typeof process") === "undefined"'],
  ['the console', 'return own(console.log.constructor)'],
  ['timers', 'return own(setTimeout.constructor)'],
  ['require', 'return own(require.constructor)'],
  ['Buffer', 'return own(Buffer.from.constructor)'],
  ['digests', 'return own(require("crypto").createHash("md5").update.constructor)'],
  ['items', 'return own($input.first().constructor.constructor) && own($input.all.constructor)'],
  ['luxon', 'return own(DateTime.now.constructor) && own(luxon.constructor.constructor)'],
  ['what import() gives', 'const p = import("node:fs"); p.catch(() => {}); return own(p.constructor.constructor)'],
  [
    'what import() throws',
    'try { await import("node:fs"); return "imported" } catch (e) { return own(e.constructor.constructor) }',
  ],
  [
    'what import() throws in text',
    'try { await new Function(\'return import("node:fs")\')(); return "imported" } catch (e) { return ' +
      'own(e.constructor.constructor) }',
  ],
  [
    'changing what import() throws',
    'try { await import("x") } catch (e) { const all = []; for (let o = e; o; o = Object.getPrototypeOf(o)) ' +
      'all.push(o, o.constructor); ' +
      'return all.slice(1).every((o) => Object.isFrozen(o)) || "not frozen" }',
  ],
  [
    'data: and file: modules',
    'for (const u of ["data:text/javascript,export default 1", "file:///etc/passwd"]) try { await ' +
      'import(u); return u } catch {} return true',
  ],
  [
    'a stack overflow',
    'function f() { f() } try { f() } catch (e) { return own(e.constructor.constructor) && e instanceof RangeError }',
  ],
  [
    'a stack overflow in the process at every depth',
    'let bad; function f(d) { try { console.log("x"); ' +
      'require("crypto").createHash("md5").update("a").digest() } catch (e) ' +
      '{ if (!(e instanceof Error)) bad = look(e.constructor.constructor) } if (d > 0) f(d - 1) } for (let ' +
      'd = 500; d < 9000; ' +
      'd += 500) try { f(d) } catch (e) { if (!(e instanceof Error)) bad = look(e.constructor.constructor) ' +
      '} return bad ?? true',
  ],
  [
    'call sites',
    'Error.prepareStackTrace = (e, s) => s.map((c) => [c.getFunction?.(), c.getThis?.()]).flat().filter((v) ' +
      '=> v != null && ' +
      'v !== globalThis && !(v instanceof Object)).length; return new Error("x").stack === 0 || "call sites"',
  ],
  [
    'callers',
    'function f() { return f.caller?.caller } try { return f() == null } catch (e) { return ' +
      'own(e.constructor.constructor) }',
  ],
  ['a thenable', 'let seen; await { then(a) { seen = own(a.constructor); a() } }; return seen'],
  ['natives syntax', 'try { eval("%DebugPrint(1)"); return "natives" } catch { return true }'],
  ['import.meta', 'try { eval("import.meta"); return "meta" } catch { return true }'],
  [
    'removed names',
    'return ["WebAssembly", "SharedArrayBuffer", "Atomics", "gc", "process", "global"].filter((n) => n in ' +
      'globalThis).join() || true',
  ],
  ['files in a stack', 'return !new Error("x").stack.includes("/")'],
  [
    'a host function by a call site',
    'let out = true; Error.prepareStackTrace = (e, s) => { for (const c of s) { const g = c.getFunction?.(); ' +
      'if (g && g.constructor !== Function) out = look(g.constructor) } return "" }; console.log({ toJSON() ' +
      '{ void new Error("y").stack; return 1 } }); return out',
  ],
];

/** Code that leaves something behind, and code that looks for it in the next run of the same process. */
const LEFTOVERS: readonly (readonly [name: string, first: string, second: string, found: unknown])[] = [
  ['JSON.parse', 'JSON.parse = () => ({ items: [] })', 'return JSON.parse("[1]")[0]', 1],
  [
    'a prototype',
    'Object.prototype.left = 1; Array.prototype.left = 2',
    'return [typeof {}.left, typeof [].left]',
    ['undefined', 'undefined'],
  ],
  ['the last match', '/(secret)/.exec("secret")', 'return RegExp.$1', ''],
  [
    'a promise that continues',
    '(async () => { for (let i = 0; i < 1e5; i++) await 0; globalThis.late = 1 })()',
    'return typeof late',
    'undefined',
  ],
  ['a template', 'globalThis.t = ((s) => s)`a`; try { t.x = 1 } catch {}', 'return "x" in ((s) => s)`a`', false],
  [
    'a registered symbol',
    'Symbol.for("k").constructor.prototype.left = 1',
    'return typeof Symbol.for("k").left',
    'undefined',
  ],
  [
    'the error of import()',
    'try { await import("x") } catch (e) { try { Object.getPrototypeOf(e).left = 1 } catch {} }',
    'try { await import("x") } catch (e) { return typeof e.left }',
    'undefined',
  ],
  [
    'the state of the same code',
    'function f() { return (f.n = (f.n ?? 0) + 1) } return f()',
    'function f() { return (f.n = (f.n ?? 0) + 1) } return f()',
    1,
  ],
  [
    'modules',
    'Buffer.from = 1; require("crypto").createHash = 1; console.log = 1; TextEncoder.prototype.encode = 1',
    'return [Buffer.from, require("crypto").createHash, console.log, TextEncoder.prototype.encode].every((f) => ' +
      'typeof f === "function")',
    true,
  ],
  [
    'a time zone of luxon',
    'luxon.Settings.defaultZone = "Asia/Tokyo"',
    'return DateTime.now().zoneName',
    'America/New_York',
  ],
];

(sealArchitecture() === undefined ? describe.skip : describe)('a realm of V8', () => {
  const pool = new SealedPool({ processes: 1, memoryMb: 64, timeoutMs: 10_000 });
  const runner = pool.of('owner');
  afterAll(() => pool.close());

  it.each(WAYS)('has no way to its process by %s', async (_, body) => {
    expect(await runScript(runner, `${LOOK} ${body}`)).toMatchObject({ value: true });
  });

  it('can load a module that failed for lack of stack once there is enough', async () => {
    const body =
      'let failed = 0, done = false; ' +
      'function f() { try { f() } catch (e) { ' +
      'if (!done) try { new URL("https://a.b"); Buffer.from("a"); done = true } catch { failed += 1 } throw e } } ' +
      'try { f() } catch {} ' +
      'return [failed > 0, done, new URL("https://a.b/c").pathname, Buffer.from("a").toString("hex")]';
    expect(await runScript(runner, body)).toMatchObject({ value: [true, true, '/c', '61'] });
  });

  it.each(['1.5 + 0x1f', '10n', '/(?<a>b)+/u.test("b")', '`a${"b"}`', '"\\u{61}"', '$input.all()', 'new Date(0)'])(
    'is that of earlier runs for plain code, with its functions frozen: %s',
    async (expression) => {
      const body = `const value = ${expression}; const f = [].map; f.left = value; return typeof f.left`;
      expect(await runScript(runner, body)).toMatchObject({ value: 'undefined' });
      // In a separate realm, where nothing is frozen.
      expect(await runScript(runner, `void this; ${body}`)).not.toMatchObject({ value: 'undefined' });
    },
  );

  it.each(LEFTOVERS)('leaves nothing behind for the next run: %s', async (_, first, second, found) => {
    await runScript(runner, first);
    expect(await runScript(runner, second)).toMatchObject({ value: found });
  });
});
