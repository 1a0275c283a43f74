import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Unavailable } from '@weft/service-kit/errors';
import { TooManyPasswordChecks } from '../errors';

/** Logarithm of scrypt's N for new passwords. */
export const PASSWORD_COST_LOG2 = 15;
const BLOCK = 8;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Maximum concurrent hashes. Each needs 32 MiB and about 100 ms of a core. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 20;
/** Maximum waiting checks from one address. */
const MAX_WAITING_OF_ADDRESS = 4;

let running = 0;
const waiting: { readonly address: string; readonly start: () => void }[] = [];

/** @throws TooManyPasswordChecks, which only concerns the address and opens no breaker; Unavailable */
const checkRoom = (address: string): void => {
  const ofAddress = address === '' ? 0 : waiting.filter((entry) => entry.address === address).length;
  if (ofAddress >= MAX_WAITING_OF_ADDRESS) throw new TooManyPasswordChecks();
  if (waiting.length >= MAX_WAITING) throw new Unavailable('Too many passwords are being checked. Try again.');
};

/** Cost of a hash: the logarithm of scrypt's N, and its r. */
interface Cost {
  readonly costLog2: number;
  readonly block: number;
}

/**
 * Runs scrypt in the thread pool with bounded concurrency.
 * @throws TooManyPasswordChecks; Unavailable if too many wait
 */
const derive = async (password: string, salt: Buffer, { costLog2, block }: Cost, address: string): Promise<Buffer> => {
  if (running >= MAX_CONCURRENT) {
    checkRoom(address);
    await new Promise<void>((start) => waiting.push({ address, start }));
  } else {
    running += 1;
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
    if (next === undefined) running -= 1;
    else next.start();
  }
};

/** Hashes a password for the store: `scrypt$<log2 N>$<r>$<salt>$<hash>`. @throws Unavailable */
export type HashPassword = (password: string) => Promise<string>;

/** @param costLog2 logarithm of scrypt's N. The hash includes it, so passwords hashed at another cost still match */
export const createHashPassword =
  (costLog2: number): HashPassword =>
  async (password) => {
    const salt = randomBytes(SALT_BYTES);
    const hash = await derive(password, salt, { costLog2, block: BLOCK }, '');
    return ['scrypt', costLog2, BLOCK, salt.toString('base64'), hash.toString('base64')].join('$');
  };

/**
 * Verifies a password against its hash.
 * @param address of the client, which has a share of the waiting checks; empty if unknown
 * @throws TooManyPasswordChecks, Unavailable
 */
export const matchesPassword = async (password: string, stored: string, address: string): Promise<boolean> => {
  const [scheme, costLog2, block, salt = '', hash = ''] = stored.split('$');
  if (scheme !== 'scrypt') throw new Error('A stored password hash has an unknown format.');
  const expected = Buffer.from(hash, 'base64');
  const cost = { costLog2: Number(costLog2), block: Number(block) };
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost, address);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

/** Hash that matches no password: checking an unknown email takes as long as any other. */
export const NO_PASSWORD = [
  'scrypt',
  PASSWORD_COST_LOG2,
  BLOCK,
  randomBytes(SALT_BYTES).toString('base64'),
  randomBytes(HASH_BYTES).toString('base64'),
].join('$');
