import { decodeJobTexts, FRAME } from '../frames';
import { MAX_JOB_BYTES, SANDBOX_LIMITS } from '../limits';
import { serveForks } from '../fork/serve-forks';
import { sealProcess } from '../seal/seal';
import { BlockingFrames } from './blocking-frames';
import { HostCalls } from './host-calls/host-calls';
import { stripMainRealm } from './main-realm';
import { ProcessRealms } from './process-realms';
import { Realms } from './realms';
import type { RealmOutcome } from './run-in-realm';
import { warmUp } from './warm-up';

/** Time between two parts of the console that are sent on, so that code that is killed keeps what it wrote before. */
const CONSOLE_MS = 20;

// Held before the names of this realm are removed.
const { performance } = globalThis;
const frames = new BlockingFrames(MAX_JOB_BYTES);

/** This process as the realm of one run sees it. */
class RunHost {
  #sentAt = performance.now();
  readonly #calls = new HostCalls((isLast) => this.#onLine(isLast));

  /** Answers a call of the realm: texts are all that passes. */
  answer(operation: unknown, text: unknown): string {
    if (typeof operation !== 'string' || typeof text !== 'string') return '{}';
    if (text.length > SANDBOX_LIMITS.hostCallBytes)
      return '{"error":{"name":"RangeError","message":"The text is too long"}}';
    return this.#calls.answer(operation, text);
  }

  /** Frames at the end of the run. */
  framesOf(outcome: RealmOutcome): (readonly [number, string])[] {
    const answer: readonly [number, string] =
      typeof outcome === 'string' ? [FRAME.result, outcome] : [FRAME.stopped, JSON.stringify(outcome)];
    const lines = this.#calls.takeLines();
    return lines.length === 0 ? [answer] : [[FRAME.console, JSON.stringify(lines)], answer];
  }

  #onLine(isLast: boolean): void {
    const now = performance.now();
    if (!isLast && now - this.#sentAt < CONSOLE_MS) return;
    this.#sentAt = now;
    frames.write([FRAME.console, JSON.stringify(this.#calls.takeLines())]);
  }
}

// What all processes share: nobody's code has run in it.
const memoryMb = Number(process.argv[2]);
let host = new RunHost();
const realms = new Realms((operation, text) => host.answer(operation, text));
const { reachable, shared } = warmUp(realms);
const own = new ProcessRealms(realms, shared);

/** Seals this process, and answers jobs until the input ends. */
function runProgram(): void {
  try {
    sealProcess({ memoryMb });
  } catch (error) {
    frames.write([FRAME.unsealed, error instanceof Error ? error.message : String(error)]);
    return;
  }
  stripMainRealm(reachable);
  host = new RunHost();
  frames.write([FRAME.ready, '']);
  for (let frame = frames.read(); frame !== undefined; frame = frames.read()) {
    if (frame.kind !== FRAME.job) continue;
    const { code, input } = decodeJobTexts(frame.body);
    const compiled = realms.compile(code);
    const outcome = typeof compiled === 'string' ? compiled : own.run(compiled, input);
    // Written together, so that the reader wakes once.
    frames.write(...host.framesOf(outcome));
    host = new RunHost();
    if (typeof compiled !== 'string') own.restore(compiled, outcome);
  }
}

serveForks(runProgram);
