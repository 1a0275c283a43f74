import { EMPTY_INPUT } from '../code/code-data';
import type { Realm, Realms } from './realms';
import { runInRealm } from './run-in-realm';

/** Common operations of code that load something on first use: no file can be read afterwards. */
const USUAL = `(async function () {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const { createHash, createHmac, randomBytes, randomUUID, createCipheriv, scryptSync, pbkdf2Sync } = require('crypto');
  for (const name of ['md5', 'sha1', 'sha256', 'sha384', 'sha512']) createHash(name).update('a').digest('hex');
  createHmac('sha256', 'key').update('a').digest('base64');
  randomBytes(8).toString('hex');
  for (const name of ['aes-256-cbc', 'aes-256-gcm'])
    createCipheriv(name, randomBytes(32), randomBytes(16)).final('hex');
  scryptSync('a', 'b', 16, { N: 2 });
  pbkdf2Sync('a', 'b', 1, 16, 'sha256');
  [randomUUID(), new URL('https://a.b/c?d=e').href, structuredClone({ a: 1 }), $jmespath({ a: 1 }, 'a')];
  ['b', 'a'].sort((a, b) => a.localeCompare(b));
  [new Date(0).toLocaleString('de'), (1).toLocaleString('de'), $now.setZone('Asia/Tokyo').toFormat('ZZZZ')];
  try { undefined.x } catch (error) { error.stack }
  return $input.all().map((item) => ({ json: { ...item.json, n: $json } }));
})`;

/** Code for a realm that runs share. */
export const PLAIN_CODE =
  '(async function () { return $input.all().map(({ json }) => ({ json: { ...json, n: 1 } })); })';

/** Obtains the error of a refused import, which the process around the realm creates. */
const IMPORT = 'import("none").catch((error) => { globalThis.refused = error; })';

/** Results of the warm-up. */
export interface WarmProcess {
  /** Objects of the process's realm that code can obtain: the error thrown by `import()`. */
  readonly reachable: readonly unknown[];
  /** A realm for plain code in which code has already run. */
  readonly shared: Realm;
}

/** Runs code once in every usual way, and parses code that does not compile. */
export function warmUp(realms: Realms): WarmProcess {
  runOnce(realms, realms.make(), USUAL);
  if (typeof realms.compile('(') !== 'string') throw new Error('A realm does not report what does not compile.');
  const realm = realms.make();
  realms.evaluate(realm, IMPORT);
  const refused = realms.evaluate(realm, 'refused');
  if (refused === undefined) throw new Error('A realm imports.');
  const shared = realms.makeShared();
  runOnce(realms, shared, PLAIN_CODE);
  if (shared.restore?.() !== true) throw new Error('A realm cannot be restored.');
  return { reachable: [refused], shared };
}

function runOnce(realms: Realms, realm: Realm, text: string): void {
  const code = realms.compile(text);
  const report = typeof code === 'string' ? code : runInRealm(realms, realm, code, JSON.stringify(EMPTY_INPUT));
  if (typeof report !== 'string' || !report.startsWith('{"value"')) throw new Error('A realm does not work.');
}
