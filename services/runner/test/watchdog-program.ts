import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { reapChildrenOfReplaced } from '@weft/sandbox/replace-process';
import { readPredecessor } from '../src/watchdog/predecessor';
import { commandOfThisProcess, startWatchdog, type Watchdog } from '../src/watchdog/watchdog';

/**
 * A process with a watchdog, started with a mode as its environment variable `MODE`. Prints JSON lines.
 *
 * `replaced` listens, blocks its thread in the turn of a run, and shows what the program that replaces it has: the
 * port, no child left as a zombie, and what was passed on. `busy` has many turns below the limit, `unnamed` blocks
 * while the run is not certain.
 */
const say = (facts: object): void => void process.stdout.write(`${JSON.stringify(facts)}\n`);

const block = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

const FOREVER_MS = 60_000;
const runOf = (executionId: string) => ({ executionId, workflowId: 'w', versionId: 'v', ownerKey: 'owner o' });

const childrenOfThis = (): string => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();

const listen = async (port: number): Promise<number> => {
  const server = createServer().listen(port, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const afterIt = async (): Promise<void> => {
  const predecessor = readPredecessor(process.argv[2]);
  const port = predecessor?.blamed[0]?.lastAt ?? 0;
  const before = childrenOfThis();
  reapChildrenOfReplaced();
  const isListening = (await listen(port)) === port;
  for (let second = 0; second < 20 && childrenOfThis() !== ''; second += 1) await sleep(500);
  say({ pid: process.pid, predecessor, isListening, hadChildren: before !== '', hasChildren: childrenOfThis() !== '' });
};

const replaced = async ({ openHold, passOn }: Watchdog): Promise<void> => {
  // It ends soon after the program that started it.
  spawn('sleep', ['2'], { stdio: 'ignore' });
  const port = await listen(0);
  // A number that the next program gets.
  passOn({ ends: { isolated: 4 }, blamed: [{ versionId: 'w', ownerKey: 'owner o', lastAt: port }] });
  say({ pid: process.pid });
  const hold = openHold(runOf('e'));
  hold.node('Blocks');
  hold.within(() => block(FOREVER_MS));
};

const busy = async ({ openHold }: Watchdog): Promise<void> => {
  const hold = openHold(runOf('e'));
  say({ pid: process.pid });
  for (let turn = 0; turn < 5; turn += 1) {
    hold.within(() => block(200));
    await nextTurn();
  }
  // No run has the thread.
  hold.close();
  block(800);
  say({ isDone: true });
};

const unnamed = ({ openHold }: Watchdog): void => {
  const [one, other] = [openHold(runOf('one')), openHold(runOf('other'))];
  say({ pid: process.pid });
  one.mark();
  other.mark();
  block(FOREVER_MS);
};

const main = async (): Promise<void> => {
  if (process.argv[2] !== undefined) return afterIt();
  const watchdog = startWatchdog({ kind: 'replace', command: commandOfThisProcess() });
  // Until it watches.
  await sleep(500);
  if (process.env['MODE'] === 'replaced') await replaced(watchdog);
  if (process.env['MODE'] === 'busy') await busy(watchdog);
  if (process.env['MODE'] === 'unnamed') unnamed(watchdog);
  process.exit(0);
};

void main();
