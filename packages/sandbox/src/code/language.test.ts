import { createCipheriv, createHmac, createHash, hkdfSync, pbkdf2Sync, scryptSync } from 'node:crypto';
import { sealArchitecture } from '../seal/system-calls';
import { SealedPool } from '../pools/sealed-pool';
import { runScript } from '../testing/run-script';

/** An expression for the sandbox, and its expected result. */
type Case = readonly [expression: string, value: unknown];

const encryptedBy = (algorithm: string, key: Buffer, iv: Buffer, text: string): string => {
  const cipher = createCipheriv(algorithm, key, iv);
  return cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
};

const DATES: readonly Case[] = [
  ['DateTime.fromISO("2024-07-01T12:00:00Z").toISO()', '2024-07-01T08:00:00.000-04:00'],
  [
    'DateTime.fromISO("2024-01-15T12:00:00").setZone("Asia/Tokyo").toFormat("yyyy-MM-dd HH:mm ZZZZ")',
    '2024-01-16 02:00 GMT+9',
  ],
  ['DateTime.fromISO("2024-03-10T06:59:59Z").plus({ seconds: 1 }).toISO()', '2024-03-10T03:00:00.000-04:00'],
  ['DateTime.fromISO("2024-01-01").setLocale("fr").toLocaleString(DateTime.DATE_FULL)', '1 janvier 2024'],
  ['DateTime.fromISO("2024-01-01", { zone: "Nowhere/At_All" }).isValid', false],
  ['[$now.zoneName, $today.hour, $now.diff($now.minus({ days: 2 }), "days").days]', ['America/New_York', 0, 2]],
  ['Interval.fromDateTimes(DateTime.fromISO("2024-01-01"), DateTime.fromISO("2024-01-03")).length("days")', 2],
  ['Duration.fromObject({ hours: 25 }).shiftTo("days", "hours").toObject()', { days: 1, hours: 1 }],
  ['require("luxon").DateTime === DateTime', true],
  ['String(new Date(0))', 'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)'],
  [
    '[new Date("2024/01/02"), new Date("Jan 5, 2024 10:00 GMT+2"), new Date(NaN)]',
    ['2024-01-02T00:00:00.000Z', '2024-01-05T08:00:00.000Z', null],
  ],
];

const LANGUAGES: readonly Case[] = [
  [
    '[(1234567.891).toLocaleString("de-DE"), (5).toLocaleString(), (10n ** 20n).toLocaleString("en-US")]',
    ['1.234.567,891', '5', '100,000,000,000,000,000,000'],
  ],
  ['[(NaN).toLocaleString(), (1e21).toLocaleString("en-US")]', ['NaN', '1,000,000,000,000,000,000,000']],
  ['new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(12.5)', '$12.50'],
  ['Intl.NumberFormat("de").formatToParts(1.5).map((part) => part.type)', ['integer', 'decimal', 'fraction']],
  ['new Date(0).toLocaleDateString("en-GB")', '01/01/1970'],
  ['new Date(0).toLocaleDateString("en-US", { weekday: "long", timeZone: "Asia/Tokyo" })', 'Thursday'],
  ['new Intl.DateTimeFormat("en-US").resolvedOptions().locale', 'en-US'],
  [
    '["b", "a", "C", "ä", "Z", "z", "-", "1", "A"].sort((a, b) => a.localeCompare(b))',
    ['-', '1', 'a', 'A', 'ä', 'b', 'C', 'z', 'Z'],
  ],
  ['["a10", "a9"].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))', ['a9', 'a10']],
  [
    '[new Intl.PluralRules("en").select(1), new Intl.RelativeTimeFormat("en").format(-1, "day"), new ' +
      'Intl.ListFormat("en").format(["a", "b"])]',
    ['one', '1 day ago', 'a and b'],
  ],
];

const BYTES: readonly Case[] = [
  [
    '[btoa("hi"), atob("aGk="), Buffer.from("hä€👍").toString("hex")]',
    ['aGk=', 'hi', Buffer.from('hä€👍').toString('hex')],
  ],
  ['new TextDecoder().decode(new TextEncoder().encode("ä€👍"))', 'ä€👍'],
  [
    'require("crypto").createHash("sha256").update("a").update(Buffer.from("ä")).digest("hex")',
    createHash('sha256').update('aä').digest('hex'),
  ],
  [
    'require("node:crypto").createHash("md5").update("").digest("base64")',
    createHash('md5').update('').digest('base64'),
  ],
  [
    'require("crypto").createHmac("sha1", "key").update("data").digest().toString("hex")',
    createHmac('sha1', 'key').update('data').digest('hex'),
  ],
  ['[...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode("a")))].length', 32],
  ['/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())', true],
  ['require("crypto").randomBytes(5).length', 5],
];

const CIPHERS: readonly Case[] = [
  [
    '(() => { const c = require("crypto"); const key = c.scryptSync("password", "salt", 32); const iv = ' +
      'Buffer.alloc(16, 1); ' +
      'const e = c.createCipheriv("aes-256-cbc", key, iv); const text = e.update("héllo", "utf8", "hex") + ' +
      'e.final("hex"); ' +
      'const d = c.createDecipheriv("aes-256-cbc", key, iv); ' +
      'return [text, d.update(text, "hex", "utf8") + d.final("utf8")] })()',
    [encryptedBy('aes-256-cbc', scryptSync('password', 'salt', 32), Buffer.alloc(16, 1), 'héllo'), 'héllo'],
  ],
  // Groups of base64, and characters, that are cut between two calls.
  [
    '(() => { const c = require("crypto"); const e = c.createCipheriv("aes-128-ctr", Buffer.alloc(16), ' +
      'Buffer.alloc(16)); ' +
      'const text = e.update("a€", "utf8", "base64") + e.update("€b", "utf8", "base64") + e.final("base64"); ' +
      'const d = c.createDecipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16)); const b = ' +
      'Buffer.from(text, "base64"); ' +
      'return [text, d.update(b.subarray(0, 2), null, "utf8") + d.update(b.subarray(2), null, "utf8") + ' +
      'd.final("utf8")] })()',
    [
      Buffer.from(encryptedBy('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16), 'a€€b'), 'hex').toString('base64'),
      'a€€b',
    ],
  ],
  [
    '(() => { const c = require("crypto"); const e = c.createCipheriv("aes-128-gcm", Buffer.alloc(16), ' +
      'Buffer.alloc(12)); ' +
      'e.setAAD(Buffer.from("x")); const text = Buffer.concat([e.update("hi", "utf8"), e.final()]); const ' +
      'tag = e.getAuthTag(); ' +
      'const open = (t) => { const d = c.createDecipheriv("aes-128-gcm", Buffer.alloc(16), Buffer.alloc(12)); ' +
      'd.setAAD(Buffer.from("x")); d.setAuthTag(t); return d.update(text, undefined, "utf8") + d.final("utf8") }; ' +
      'let wrong; try { open(Buffer.alloc(16)) } catch (error) { wrong = error instanceof Error } ' +
      'return [tag.length, open(tag), wrong] })()',
    [16, 'hi', true],
  ],
  [
    '(() => { const c = require("crypto"); const { publicKey, privateKey } = c.generateKeyPairSync("rsa", { ' +
      'modulusLength: ' +
      '1024, publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs8", ' +
      'format: "pem" } }); ' +
      'const sent = c.publicEncrypt({ key: publicKey, padding: c.constants.RSA_PKCS1_OAEP_PADDING, ' +
      'oaepHash: "sha256" }, ' +
      'Buffer.from("key")); const got = c.privateDecrypt({ key: c.createPrivateKey(privateKey), padding: ' +
      'c.constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }, sent).toString(); ' +
      'const mark = c.createSign("RSA-SHA256").update("a").sign(privateKey, "base64"); ' +
      'return [got, c.createVerify("RSA-SHA256").update("a").verify(publicKey, mark, "base64"), ' +
      'c.verify("sha256", Buffer.from("b"), publicKey, Buffer.from(mark, "base64"))] })()',
    ['key', true, false],
  ],
  [
    'require("crypto").pbkdf2Sync("p", "s", 10, 20, "sha512").toString("hex")',
    pbkdf2Sync('p', 's', 10, 20, 'sha512').toString('hex'),
  ],
  [
    'await new Promise((resolve) => require("crypto").scrypt("p", "s", 8, { N: 2 }, (error, key) => ' +
      'resolve(key.toString("hex"))))',
    scryptSync('p', 's', 8, { N: 2 }).toString('hex'),
  ],
  [
    'Buffer.from(require("crypto").hkdfSync("sha256", "k", "s", "i", 16)).toString("hex")',
    Buffer.from(hkdfSync('sha256', 'k', 's', 'i', 16)).toString('hex'),
  ],
  [
    '(() => { try { require("crypto").createCipheriv("rot13", "k", "i") } catch (error) { return ' +
      'error.message } })()',
    'Unknown cipher',
  ],
  [
    '(() => { const h = require("crypto").createHash("md5").update("a"); const c = h.copy(); return ' +
      'h.digest("hex") === c.digest("hex") })()',
    true,
  ],
];

const REST: readonly Case[] = [
  [
    '(() => { const u = new URL("/c?x=1#h", "https://user@a.b:8443/d"); u.searchParams.append("y", "q w&"); ' +
      'u.pathname = "/ä"; return [u.href, u.host, u.hash, u.searchParams.get("y")] })()',
    ['https://user@a.b:8443/%C3%A4?x=1&y=q+w%26#h', 'a.b:8443', '#h', 'q w&'],
  ],
  ['String(new URLSearchParams({ a: "1 2", b: "ä" }))', 'a=1+2&b=%C3%A4'],
  ['[URL.canParse("nothing"), URL.canParse("https://a.b")]', [false, true]],
  ['structuredClone({ a: new Date(0), b: [1, { c: 2 }] })', { a: '1970-01-01T00:00:00.000Z', b: [1, { c: 2 }] }],
  [
    'await new Promise((resolve) => { const log = []; setTimeout(() => resolve(log), 20); setTimeout((x) => ' +
      'log.push(x), 5, "second"); setImmediate(() => log.push("first")); clearTimeout(setTimeout(() => ' +
      'log.push("never"), 1)) })',
    ['first', 'second'],
  ],
  ['$jmespath({ a: [{ b: 1 }, { b: 2 }] }, "a[*].b")', [1, 2]],
  ['[$if(true, 1, 2), $ifEmpty("", "x"), $ifEmpty([1], "x"), $min(3, 1), $max(3, 1)]', [1, 'x', [1], 1, 3]],
  ['[/(?<=a)b/.test("ab"), "x".replaceAll("x", "y"), [3, 1].toSorted()]', [true, 'y', [1, 3]]],
  ['(() => { undeclared = 1; return undeclared })()', 1],
  [
    '[require("buffer").Buffer === Buffer, require("node:url").URL === URL, require("crypto") === require("crypto")]',
    [true, true, true],
  ],
  [
    '(() => { const log = console.log; console = 1; Buffer = 2; return [console, Buffer, typeof log] })()',
    [1, 2, 'function'],
  ],
  ['Math.random() < 1 && Math.random() >= 0', true],
];

const whereSealed = sealArchitecture() === undefined ? describe.skip : describe;
const pool = new SealedPool({ processes: 1, memoryMb: 64, timeoutMs: 5_000 });
const runner = pool.of('owner');
afterAll(() => pool.close());

whereSealed('the language of code', () => {
  describe.each([
    ['dates', DATES],
    ['languages', LANGUAGES],
    ['bytes', BYTES],
    ['ciphers', CIPHERS],
    ['the rest', REST],
  ] as const)('%s', (_, cases) => {
    it.each(cases)('%s', async (expression, value) => {
      expect(await runScript(runner, `return ${expression}`)).toEqual({ value, console: [] });
    });
  });

  it('compares ASCII strings like Intl', async () => {
    const words = ['a', 'B', 'ab', 'aB', 'AB', 'a b', 'a-b', 'a_b', '', ' ', '~', '0', '10', '9', 'É', 'é', 'z!', 'Z'];
    const { value } = await runScript(
      runner,
      `const w = ${JSON.stringify(words)}; return w.map((a) => w.map((b) => a.localeCompare(b)))`,
    );
    const { compare } = new Intl.Collator('en-US');
    expect(value).toEqual(words.map((a) => words.map((b) => compare(a, b))));
  });

  it('stores console output as text', async () => {
    const { console } = await runScript(
      runner,
      'console.log("a", 1, null, undefined, { b: [1, new Map([[1, 2]])] }); console.error(new ' +
        'TypeError("t"), 5n); console.warn(() => 1)',
    );
    expect(console).toEqual([
      'a 1 null undefined {"b":[1,{"Map":[[1,2]]}]}',
      'TypeError: t 5',
      '()=>1'.replace('()=>', '() => '),
    ]);
  });
});

whereSealed('errors of code', () => {
  it.each([
    ['let a;\n\na.b', 'TypeError', "Cannot read properties of undefined (reading 'b')", 3],
    ['let a = null; a.b = 1', 'TypeError', "Cannot set properties of null (setting 'b')", 1],
    ['const a = {};\na.foo()', 'TypeError', 'a.foo is not a function', 2],
    ['$input.all().foo(1)', 'TypeError', '$input.all(...).foo is not a function', 1],
    ['$input.all()[0].json.list.map((x) => x)', 'TypeError', "Cannot read properties of undefined (reading 'map')", 1],
    ['(() => 1)()()', 'TypeError', '(intermediate value)(...) is not a function', 1],
    ['(() => 1)().foo()', 'TypeError', '(intermediate value)(...).foo is not a function', 1],
    ['const a = {}; a.list?.(); a.b?.c.d; a . x ()', 'TypeError', 'a.x is not a function', 1],
    ['const a = [];\na\n  .filter(Boolean)\n  .nothing()', 'TypeError', 'a.filter(...).nothing is not a function', 4],
    ['nothing', 'ReferenceError', 'nothing is not defined', 1],
    ['const a = 1; a = 2', 'TypeError', 'Assignment to constant variable.', 1],
    ['a; let a', 'ReferenceError', "Cannot access 'a' before initialization", 1],
    ['new Date("x").toISOString()', 'RangeError', 'Invalid time value', 1],
    ['[].reduce((a, b) => a)', 'TypeError', 'Reduce of empty array with no initial value', 1],
    ['JSON.parse("{a")', 'SyntaxError', "Expected property name or '}' in JSON at position 1", 1],
    ['throw new Error("own: words")', 'Error', 'own: words', 1],
    ['const f = async () => { await 0;\nthrow new RangeError("later") }; await f()', 'RangeError', 'later', 2],
    ['return require("axios")', 'Error', "Cannot find module 'axios'", 1],
    ['await this.helpers.httpRequest({})', 'Error', 'helpers.httpRequest is not available in code', 1],
  ])('%s', async (body, name, message, line) => {
    const { error } = await runScript(runner, body);
    expect(error).toMatchObject({ name, line });
    expect(error?.message).toContain(message);
  });

  it.each([
    ['return [[', "Unexpected token '}'", 2],
    ['let a = 1;\nlet a = 2', "Identifier 'a' has already been declared", 2],
    ['foo bar', "Unexpected identifier 'bar'", 1],
    ['\n"abc', 'Invalid or unexpected token', 2],
  ])('reports a syntax error in the usual words: %j', async (body, message, line) => {
    expect((await runScript(runner, body)).error).toEqual({ name: 'SyntaxError', message, line });
  });

  it.each([
    ['throw "text"', 'text'],
    ['throw { message: "object", name: "Odd" }', 'object'],
    ['throw 5', '5'],
    ['throw { toString() { throw 1 }, message: { toString() { throw 2 } } }', 'cannot be described'],
  ])('whatever is thrown: %s', async (body, message) => {
    expect((await runScript(runner, body)).error?.message).toContain(message);
  });

  it('look as usual when caught by promises', async () => {
    expect(
      await runScript(runner, 'return Promise.resolve().then(() => undefined.x).catch((e) => e.message)'),
    ).toMatchObject({ value: "Cannot read properties of undefined (reading 'x')" });
  });
});
