import { writeSync } from 'node:fs';
import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { EndedTurn } from './ended-turn';
import { createTurnWatch } from './turn-watch';
import { readSlot, WORD } from './thread-word';
import { readThreadTimes } from './thread-times';
import type { WatcherSettings } from './watcher-settings';

/** Readings without a run after which the watchdog sleeps, and the maximum duration of that sleep. */
const IDLE_READINGS = 20;
const ASLEEP_MS = 1_000;

const settings: WatcherSettings = workerData;
const { memory, limitMs, everyMs, mainThread, end, passedOn } = settings;
const words = new Int32Array(memory);
const read = (word: number): number => Atomics.load(words, word);

/** Wakes up when a run gets the thread. One that begins just now is noticed when the time is over. */
const sleepUntilUsed = (): void => {
  Atomics.store(words, WORD.isAsleep, 1);
  Atomics.wait(words, WORD.isAsleep, 1, ASLEEP_MS);
  Atomics.store(words, WORD.isAsleep, 0);
};

/** Returns when a turn has exceeded its limit. */
const watch = (): EndedTurn => {
  const times = readThreadTimes(mainThread);
  // Without times of threads a turn counts as it lasts; a pause of the process counts as one reading.
  let elapsedMs = 0;
  const threadMs = times?.mainMs ?? ((): number => (elapsedMs += everyMs));
  const collectorsMs = times?.collectorsMs ?? ((): number => 0);
  const turns = createTurnWatch();
  let idle = 0;
  for (;;) {
    const turn = read(WORD.turn);
    const holder = read(WORD.holder);
    const ms = turns.observe({ holder, turn, threadMs, collectorsMs });
    if (ms >= limitMs) {
      const isNamed = read(WORD.isCertain) === 1 || read(WORD.isShared) === 0;
      const run = isNamed ? readSlot(memory, holder) : undefined;
      // The turn may have ended while this was read.
      if (read(WORD.turn) === turn) return { ms: Math.round(ms), ...(run === undefined ? {} : { run }) };
    }
    idle = holder === 0 ? idle + 1 : 0;
    if (idle > IDLE_READINGS) sleepUntilUsed();
    else Atomics.wait(words, WORD.never, 0, everyMs);
  }
};

/** The last thing that the process passed on; null: nothing. */
const lastPassedOn = (): unknown => {
  let last: unknown = null;
  for (;;) {
    const received = receiveMessageOnPort(passedOn);
    if (received === undefined) return last;
    last = received.message;
  }
};

const endProcess = async (ended: EndedTurn): Promise<void> => {
  try {
    if (end.kind === 'kill') writeSync(end.descriptor, JSON.stringify(ended));
    else {
      const { replaceProcess } = await import('@weft/sandbox/replace-process');
      const predecessor = JSON.stringify({ ended, passedOn: lastPassedOn() });
      replaceProcess([...end.command, predecessor]);
    }
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
};

void endProcess(watch());
