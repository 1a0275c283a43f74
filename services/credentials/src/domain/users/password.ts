import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Unavailable } from '@weft/service-kit/errors';

const COST_LOG2 = 15;
const BLOCK = 8;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Each needs 32 MiB and about a tenth of a second of a core. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;

let underWay = 0;
const waiting: (() => void)[] = [];

/** scrypt in the thread pool, a bounded number at once. @throws Unavailable if too many wait. */
const derive = async (password: string, salt: Buffer, costLog2: number, block: number): Promise<Buffer> => {
  if (underWay >= MAX_AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new Unavailable('Too many passwords wait to be checked.');
    await new Promise<void>((turn) => waiting.push(turn));
  } else {
    underWay += 1;
  }
  try {
    return await new Promise((resolve, reject) => {
      const options = { N: 2 ** costLog2, r: block, p: 1, maxmem: 256 * block * 2 ** costLog2 };
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
        error === null ? resolve(hash) : reject(error),
      );
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  }
};

/** What is stored of a password: `scrypt$<log2 N>$<r>$<salt>$<hash>`. @throws Unavailable */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST_LOG2, BLOCK);
  return ['scrypt', COST_LOG2, BLOCK, salt.toString('base64'), hash.toString('base64')].join('$');
};

/** Whether the password is the one that was hashed. @throws Unavailable */
export const matchesPassword = async (password: string, stored: string): Promise<boolean> => {
  const [scheme, costLog2, block, salt = '', hash = ''] = stored.split('$');
  if (scheme !== 'scrypt') throw new Error('A stored password has an unknown form.');
  const expected = Buffer.from(hash, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), Number(costLog2), Number(block));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

/** A hash that no password fits, for names that do not exist: their check takes as long as any other. */
export const NO_PASSWORD = [
  'scrypt',
  COST_LOG2,
  BLOCK,
  randomBytes(SALT_BYTES).toString('base64'),
  randomBytes(HASH_BYTES).toString('base64'),
].join('$');
