import type { ScriptResult } from './run-script';

const isStopped = (result: ScriptResult): boolean => result.stopped !== undefined;
const lacksMemory = ({ stopped, error }: ScriptResult): boolean =>
  stopped === 'memory' || stopped === 'time' || /memory|too large|length|allocation failed/i.test(error?.message ?? '');

/** Programs that exceed a limit, and how each must end. */
export const HUNGRY: readonly (readonly [name: string, body: string, isRight: (result: ScriptResult) => boolean])[] = [
  ['a loop', 'while (true) {}', isStopped],
  [
    'a loop that catches everything',
    'for (;;) { try { while (true) {} } catch (e) {} finally { continue } }',
    isStopped,
  ],
  ['recursion in finally', 'function f() { try { while (true) {} } finally { f() } } f()', isStopped],
  ['microtasks without end', 'while (true) await 0', isStopped],
  ['microtasks next to the result', '(async () => { while (true) await 0 })(); return 1', isStopped],
  ['a timer without end', 'await new Promise((resolve) => setTimeout(resolve, 1e9))', isStopped],
  ['timers that repeat', 'setInterval(() => {}, 1); await new Promise(() => {})', isStopped],
  ['a promise that nothing resolves', 'await new Promise(() => {})', ({ stopped }) => stopped === 'never'],
  ['a getter that loops in the result', 'return { get a() { while (true) {} } }', isStopped],
  ['a toJSON that loops', 'return { toJSON() { while (true) {} } }', isStopped],
  ['a thenable that loops', 'return { then() { while (true) {} } }', isStopped],
  ['an error whose message loops', 'throw { get message() { while (true) {} } }', isStopped],
  ['a catastrophic regular expression', 'return /^(a+)+$/.test("a".repeat(60) + "!")', isStopped],
  ['formatting without end', 'for (;;) new Intl.NumberFormat("de").format(1e300)', isStopped],
  [
    'hashing without end',
    'const s = "x".repeat(3e6); for (;;) require("crypto").createHash("sha512").update(s).digest("hex")',
    isStopped,
  ],
  ['a loop inside the engine', 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)', isStopped],
  ['arrays of arrays', 'const a = []; while (true) a.push(new Array(1000).fill({}))', lacksMemory],
  [
    'texts',
    'let s = "x".repeat(1024); const k = []; while (true) { k.push(s + k.length); k.at(-1).charCodeAt(5) }',
    lacksMemory,
  ],
  ['typed arrays', 'const a = []; while (true) a.push(new Uint8Array(1 << 24).fill(1))', lacksMemory],
  ['buffers', 'const a = []; while (true) a.push(Buffer.alloc(1 << 24, 1))', lacksMemory],
  ['symbols', 'const a = []; while (true) a.push(Symbol("x".repeat(100)))', lacksMemory],
  ['a generator', 'function* g() { while (true) yield 1 } return [...g()]', lacksMemory],
  [
    'a large array that is mapped, sorted and joined',
    'const b = Array(3e7).fill(0).map((_, i) => i % 7); b.sort(); return b.join("").length',
    lacksMemory,
  ],
  ['a BigInt that squares itself', 'let x = 3n; while (true) x = x * x', lacksMemory],
  ['a BigInt with ten million digits', 'return (3n ** 20000000n).toString().length', lacksMemory],
  ['a proxy with ten million keys', 'return new Proxy({}, { ownKeys() { return Array(1e7).fill("a") } })', lacksMemory],
  ['a string of a gigabyte', 'return "x".repeat(2 ** 30)', lacksMemory],
  [
    'a string that grows when it is normalised',
    'return "\\ufdfa".repeat(1e6).normalize("NFKD").length',
    // V8's message when ICU gets no memory
    (result) => lacksMemory(result) || result.error?.message === 'Internal error. Icu error.',
  ],
  [
    'a million timers',
    'for (let i = 0; i < 1e6; i += 1) setTimeout(() => {}, 1)',
    (result) => /timers/.test(result.error?.message ?? '') || isStopped(result),
  ],
  [
    'recursion',
    'function f() { return f() + 1 } return f()',
    ({ error }) => error?.message === 'Maximum call stack size exceeded',
  ],
  [
    'a million levels of JSON',
    'return JSON.parse("[".repeat(1e6))',
    ({ stopped, error }) => stopped !== undefined || error !== undefined,
  ],
  [
    'a result of a million levels',
    'let a = []; for (let i = 0; i < 1e6; i += 1) a = [a]; return a',
    ({ error, stopped }) => error !== undefined || stopped !== undefined,
  ],
  [
    'a result of 20 MB',
    'return "x".repeat(20e6)',
    ({ stopped, error }) => stopped !== undefined || error !== undefined,
  ],
];

/** Programs that look for something that does not exist. They return what they found. */
export const CURIOUS: readonly (readonly [name: string, body: string, found: unknown])[] = [
  [
    'names of the host',
    'return [typeof process, typeof fetch, typeof XMLHttpRequest, typeof WebAssembly, typeof Deno, typeof ' +
      'global, typeof window, typeof Worker, typeof importScripts, typeof module, typeof __dirname]',
    Array(11).fill('undefined'),
  ],
  ['a constructor of a constructor', 'return this.constructor.constructor("return typeof process")()', 'undefined'],
  [
    'Function',
    'return [new Function("return typeof process")(), (0, eval)("typeof process"), (async () => ' +
      '{}).constructor("return 1").name]',
    ['undefined', 'undefined', 'anonymous'],
  ],
  [
    'what the host function hides',
    'return Object.getOwnPropertyNames(globalThis).filter((name) => /host|qts|bodies|loaded/i.test(name))',
    [],
  ],
  [
    'functions of the host behind those of the sandbox',
    'return [console.log, setTimeout, require, Buffer.from, $input.all].map((f) => f.constructor("return ' +
      'typeof process + typeof require.cache")())',
    Array(5).fill('undefinedundefined'),
  ],
  [
    'a prototype of everything',
    'Object.prototype.polluted = 1; Array.prototype[0] = 2; return [{}.polluted, [].length]',
    [1, 0],
  ],
  ['its own stack', 'return new Error("x").stack.includes("/")', false],
];
