import { Worker } from 'node:worker_threads';
import { LIMITS } from './limits';
import { bodyValue, errorOf, valueOf } from './testing/fixed-scope';

const big = 'x'.repeat(LIMITS.textLength - 10);

describe('an expression that would run or grow without end', () => {
  it.each([
    // time and steps
    '(() => { while (true) {} })()',
    '(() => { for (;;) ; })()',
    '(() => { do {} while (1) })()',
    '(() => { while (true) { try { throw 1 } catch {} finally { continue } } })()',
    '(() => { for (let i = 0; ; i++) { [1, 2, 3].map(x => x) } })()',
    'Array.from({ length: 100000 }, () => Array.from({ length: 100000 }))',
    '(function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) })(40)',
    '(() => { const a = [1]; for (const x of a) a.push(x) })()',
    '[..."x".repeat(90000)].map((_, i, all) => all.indexOf("y"))',
    `$jmespath($json, "${'[@,@]|'.repeat(23)}to_string(@)")`,
    `$jmespath($json.list, "${'[@,@][]|'.repeat(21)}[@,@][]")`,
    // depth
    '(function f() { return f() })()',
    '((f) => f(f))((f) => f(f))',
    '(() => { const f = () => { try { return f() } finally { f() } }; return f() })()',
    '(() => { const o = { toString: () => `${o}` }; return `${o}` })()',
    '[1].map(function f(x) { return [x].map(f) })',
    '[3, 2, 1].sort(function f(a, b) { return [a, b].sort(f).length })',
    '"a".replace(/a/, function f(m) { return m.replace(/a/, f) })',
    // strings
    '"x".repeat(1e9)',
    '"x".repeat(1e6).repeat(1e6)',
    '"x".padEnd(1e9)',
    '"x".padStart(2 ** 30, "yz")',
    '$json.big + $json.big',
    '`${$json.big}${$json.big}`',
    '[$json.big, $json.big].join()',
    'Array(90000).join($json.big)',
    '"aaaa".replaceAll("a", $json.big)',
    '$json.big.replace(/x/g, "$&$&")',
    '$json.big.replaceAll("", "yy")',
    '"x".concat($json.big, $json.big)',
    'JSON.stringify([$json.big, $json.big])',
    'JSON.stringify(Array.from({ length: 9000 }, () => "x".repeat(500)))',
    'encodeURIComponent("€".repeat(200000))',
    '"€".repeat(200000).urlEncode()',
    '({ a: $json.big }).urlEncode()',
    '$json.big.split("").join("--")',
    '(() => { let s = "x"; while (true) s += s })()',
    '(() => { const all = []; for (let i = 0; i < 90000; i++) all.push($json.big + i); return all.map(s => ' +
      's.length) })()',
    '(() => { const all = []; for (let i = 0; ; i++) { const s = $json.big + i; all.push(s.charCodeAt(7)); ' +
      'all.push(s) } })()',
    // lists and objects
    'Array(1e9)',
    'new Array(2 ** 32 - 1)',
    '(() => { const a = []; a.length = 1e9; return a })()',
    '(() => { const a = []; a[1e8] = 1; return a })()',
    '(() => { const a = []; while (true) a.push(1) })()',
    '(() => { const o = {}; for (let i = 0; ; i++) o[i] = i })()',
    '(() => { const m = new Map(); for (let i = 0; ; i++) m.set(i, i) })()',
    '(() => { let a = [1]; while (true) a = [...a, ...a] })()',
    '(() => { let a = [1]; while (true) a = a.concat(a) })()',
    '(() => { let a = [1]; while (true) a = [a, a].flat() })()',
    'Array.from({ length: 1e9 })',
    'numberList(1, 1e9)',
    '"x".repeat(1e6).split("")',
    '[..."x".repeat(1e6)]',
    'new Float64Array(1e9)',
    'Interval.fromISO("1000/3000").splitBy({ milliseconds: 1 })',
    'Interval.fromISO("1000/3000").divideEqually(1e9)',
    // data
    'JSON.parse("[".repeat(5000) + "]".repeat(5000))',
    '(() => { let a = []; for (let i = 0; i < 5000; i++) a = [a]; return JSON.stringify(a) })()',
    '(() => { let a = []; for (let i = 0; i < 5000; i++) a = [a]; return String(a) })()',
    '(() => { const nest = () => { let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a }; return ' +
      '[nest(), nest()].unique() })()',
    // Intl, which takes its memory elsewhere
    '(() => { for (let i = 0; ; i++) (1).toLocaleString("en", { minimumFractionDigits: i % 20 }) })()',
    '(() => { for (let i = 0; ; i++) new Intl.DateTimeFormat("de") })()',
    '(() => { for (let i = 0; ; i++) new Intl.Collator("de") })()',
    '(() => { for (let i = 0; ; i++) Intl.PluralRules && new Intl.PluralRules(["de", "fr"]).select(i) })()',
    '(() => { for (let i = 0; ; i++) Intl.NumberFormat("de").resolvedOptions() })()',
    'new Intl.ListFormat("en").format(Array(1000).fill($json.big))',
    'new Intl.ListFormat("en").format(Array(1e5).fill("x".repeat(20)))',
    '[...new Intl.Segmenter("en").segment("x ".repeat(1e5))]',
    '(() => { const c = new Intl.Collator("en"); for (;;) c.compare($json.big, $json.big + "x") })()',
    // regular expressions
    '/(?=(a+)+$)x/.test("a".repeat(60))',
    '/(a*)*\\1b/.test("a".repeat(5000))',
    '$json.big.match(/(?:(?=x)x*)*y/)',
  ])('%s ends with the error of its budget', (body) => {
    expect(errorOf(`={{ ${body} }}`, { items: [{ big, list: [1, 2, 3] }] }).type).toBe('budget');
  });

  it('cannot catch that error', () => {
    expect(
      errorOf('={{ (() => { try { while (true) {} } catch { return "caught" } finally { return "finally" } })() }}')
        .type,
    ).toBe('budget');
  });

  it('has one budget for all parts of its text', () => {
    const part = '{{ Array.from({ length: 5000 }, (_, i) => i).reduce((a, b) => a + b) }}';
    expect(valueOf(`=${part}`)).toBe(12497500);
    expect(errorOf(`=${part.repeat(220)}`).type).toBe('budget');
  });
});

describe('an expression whose text itself is the attack', () => {
  it.each([
    ['parentheses', `${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['lists', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['operators', `${'!'.repeat(5_000)}1`],
    ['sums', `1${'+1'.repeat(20_000)}`],
    ['functions', `${'()=>'.repeat(5_000)}1`],
    ['length', `"${'x'.repeat(LIMITS.bodyLength)}"`],
    ['a regular expression', `/${'(?:a'.repeat(500)}${')'.repeat(500)}/`],
    ['parts', '1 }}{{ '.repeat(4_001) + '1'],
    ['counts', '/(((a{100}){100}){100}){100}/'],
  ])('of %s is refused when it is compiled', (_name, body) => {
    expect(errorOf(`={{ ${body} }}`).type).toBe('syntax');
  });
});

describe('an expression within its budget', () => {
  it.each<readonly [string, unknown]>([
    ['/^(a+)+$/.test("a".repeat(5000) + "!")', false],
    ['/(x+x+)+y/.test($json.big.slice(0, 100000))', false],
    ['(() => { let s = ""; for (let i = 0; i < 20000; i++) s += "0123456789"; return s.length })()', 200_000],
    ['Array.from({ length: 50000 }, (_, i) => i % 7).filter(n => n > 3).length', 21_428],
    ['$json.big.toUpperCase().length', big.length],
    ['"1234567.89".replace(/\\B(?=(\\d{3})+(?!\\d))/g, ",")', '1,234,567.89'],
  ])('%s', (body, value) => {
    expect(bodyValue(body, { items: [{ big }] })).toBe(value);
  });

  it('gets the limits of patterns with look-around from the fallback of the scope, if there is one', () => {
    const regexFallback = { exec: (pattern: string) => ({ match: { index: 3, groups: [pattern] }, workMs: 1 }) };
    expect(bodyValue('$json.big.match(/(?=(x+)+y)./)[0]', { items: [{ big }], regexFallback })).toBe('(?=(x+)+y).');
  });

  it('is not charged for the time in which others had the processor', () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 5_000));
    try {
      expect(bodyValue('(() => { for (let i = 0; i < 10000; i++) {} return "end" })()')).toBe('end');
    } finally {
      clock.mockRestore();
    }
    expect(now).toBeGreaterThan(10_000);
  });

  it('is not charged for what other threads of the process do', async () => {
    const busy = new Worker('for (;;) {}', { eval: true });
    await new Promise((resolve) => busy.once('online', resolve));
    const wait = new Int32Array(new SharedArrayBuffer(4));
    const regexFallback = {
      exec: () => {
        Atomics.wait(wait, 0, 0, 4 * LIMITS.workMs);
        return { match: null, workMs: 1 };
      },
    };
    const work = 'for (let i = 0; i < 5000; i++) {}';
    const body = `(() => { ${work} /(?=(x+)+y)./.test($json.big); ${work} return "end" })()`;
    try {
      expect(bodyValue(body, { items: [{ big }], regexFallback })).toBe('end');
    } finally {
      await busy.terminate();
    }
  });
});

describe('an expression with searches that are made elsewhere', () => {
  const search = '(() => { for (let i = 0; i < 100; i++) /(?=(x+)+y)./.test($json.big) })()';
  const searches = (workMs: number, onSearch: () => void = () => undefined) => {
    const exec = jest.fn(() => {
      onSearch();
      return { match: null, workMs };
    });
    return { exec, error: errorOf(`={{ ${search} }}`, { items: [{ big }], regexFallback: { exec } }) };
  };

  it('is charged for what they work, each of which is within its own limit', () => {
    const { exec, error } = searches(LIMITS.searchMs / 5);
    expect([error.type, error.message]).toEqual(['budget', expect.stringContaining('searches')]);
    expect(exec).toHaveBeenCalledTimes(6);
  });

  it('ends after a while whatever they say that they work', () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const { exec, error } = searches(0, () => (now += LIMITS.searchWaitMs / 5));
      expect([error.type, exec.mock.calls.length]).toEqual(['budget', 6]);
    } finally {
      clock.mockRestore();
    }
  });
});
