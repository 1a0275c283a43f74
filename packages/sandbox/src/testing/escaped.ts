import fs from 'node:fs';
import { callSystem } from '../seal/kernel';
import { sealProcess } from '../seal/seal';
import { sealArchitecture } from '../seal/system-calls';
import { waysOut } from './ways-out';

// A fully compromised sealed process: its code has all of Node, and native calls. Arguments: a port, a folder, and the
// way to start with; or `call` and the number of a system call.
const [port = '', folder = '', first = '0'] = process.argv.slice(2);

/** No kernel uses numbers from here on. */
const CALLS = 470;
/** Calls of the kernel's own probes on x86-64: it does not filter them, and kills any other caller. */
const PROBES: readonly number[] = process.arch === 'x64' ? [335, 336] : [];

const say = (value: unknown): void => void fs.writeSync(1, `${JSON.stringify(value)}\n`);
const isOpen = async (way: () => unknown): Promise<boolean> => {
  try {
    await way();
    return true;
  } catch {
    return false;
  }
};

const tryWays = async (): Promise<void> => {
  for (const [index, [name, way]] of waysOut({ port: Number(port), folder }).entries()) {
    if (index < Number(first)) continue;
    say({ index, name });
    say({ index, isOpen: await isOpen(way) });
  }
  say({ done: true });
};

/** Makes every system call that is neither allowed nor fatal, and lists those that were not refused. */
const tryCalls = (): void => {
  const { allowed = {}, fatal = {}, special } = sealArchitecture() ?? {};
  const others = [special?.mmap, special?.madvise, ...PROBES];
  const known = new Set([...Object.values(allowed), ...Object.values(fatal), ...others]);
  const EPERM = 1;
  const open = Array.from({ length: CALLS }, (_, number) => number).filter(
    (number) => !known.has(number) && callSystem(number, -1, -1, -1, -1, -1, -1).error !== EPERM,
  );
  say({ open });
};

const program = (): Promise<void> | void => {
  if (port === 'call') return void callSystem(Number(folder), 0, 0, 0, 0, 0, 0);
  return port === 'calls' ? tryCalls() : tryWays();
};

process.on('uncaughtException', () => undefined);
if (process.env['TZ'] !== undefined) sealProcess();
void Promise.resolve(program()).then(() => process.abort());
