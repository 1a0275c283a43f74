import { execFileSync } from 'node:child_process';
import { release } from 'node:os';

const GET_ATTRIBUTES: Readonly<Record<string, number>> = { x64: 315, arm64: 275 };
const [major = 0, minor = 0] = release().split('.').map(Number);
const hasSlices = process.platform === 'linux' && (major > 6 || (major === 6 && minor >= 12));

/** Takes short slices at some niceness, starts a thread, and prints niceness and slices of all threads. */
const PROGRAM = `
const { readdirSync } = require('node:fs');
const { setPriority } = require('node:os');
const { callSystem } = require(${JSON.stringify(require.resolve('./kernel'))});
const { takeShortSlices } = require(${JSON.stringify(require.resolve('./short-slices'))});
const threads = readdirSync('/proc/self/task').map(Number);
for (const thread of threads) setPriority(thread, 5);
const ENDED = 4_194_303;
takeShortSlices([ENDED, ...threads]);
const { Worker } = require('node:worker_threads');
const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
worker.once('online', () => {
  const seen = readdirSync('/proc/self/task').map((thread) => {
    const bytes = Buffer.alloc(48);
    callSystem(${GET_ATTRIBUTES[process.arch]}, Number(thread), bytes, 48, 0);
    return [bytes.readUInt32LE(4), bytes.readInt32LE(16), Number(bytes.readBigUInt64LE(24))].join(' ');
  });
  console.log([...new Set(seen)].join(', '));
  process.exit();
});
`;

const ifSlices = hasSlices ? it : it.skip;

describe('short scheduling slices', () => {
  ifSlices(
    'are those of all threads, also of later ones, which keep their kind and niceness; one may have ended meanwhile',
    () => {
      expect(execFileSync(process.execPath, ['--eval', PROGRAM], { encoding: 'utf8' }).trim()).toBe('0 5 100000');
    },
  );
});
