import { setTimeout as sleep } from 'node:timers/promises';
import { slownessOf } from './machine-speed';

const PAUSE_MS = 1_000;

// Writes how slow the machine is, a line a second, until it is killed.
void (async () => {
  for (;;) {
    process.stdout.write(`${slownessOf()}\n`);
    await sleep(PAUSE_MS);
  }
})();
