import { Buffer } from 'node:buffer';
import { EMPTY_INPUT } from '../code/code-data';
import { decodeJobTexts, encodeJob, FRAME } from '../process/frames';
import { MAX_JOB_BYTES, SANDBOX_LIMITS } from '../pools/limits';
import { serveForks } from '../fork/serve-forks';
import { sealProcess } from '../seal/seal';
import { BlockingFrames } from './blocking-frames';
import { HostCalls } from './host-calls/host-calls';
import { stripMainRealm } from './main-realm';
import { ProcessRealms } from './process-realms';
import { Realms } from './realms';
import type { RealmOutcome } from './run-in-realm';
import { PLAIN_CODE, warmUp } from './warm-up';

/** Interval at which console output is sent, so that killed code keeps its earlier output. */
const CONSOLE_MS = 20;

// Captured before the global names of this realm are removed.
const { performance } = globalThis;
const frames = new BlockingFrames(MAX_JOB_BYTES);

type AnswerFrame = readonly [kind: number, content: string];

/** This process as seen by the realm of one run. */
class RunHost {
  #sentAt = performance.now();
  readonly #calls = new HostCalls((isLast) => this.#onLine(isLast));

  /** Answers a call of the realm. Only strings pass in either direction. */
  answer(operation: unknown, text: unknown): string {
    if (typeof operation !== 'string' || typeof text !== 'string') return '{}';
    if (text.length > SANDBOX_LIMITS.hostCallBytes)
      return '{"error":{"name":"RangeError","message":"The text is too long"}}';
    return this.#calls.answer(operation, text);
  }

  /** Frames at the end of the run. */
  framesOf(outcome: RealmOutcome): AnswerFrame[] {
    const answer: AnswerFrame =
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

// Shared by all processes: no user code has run in it.
const memoryMb = Number(process.argv[2]);
let host = new RunHost();
const realms = new Realms((operation, text) => host.answer(operation, text));
const { reachable, shared } = warmUp(realms);
const own = new ProcessRealms(realms, shared);

/** Does a job. Writes its frames before preparing for the next one. */
function answer(job: Buffer, write: (...answers: readonly AnswerFrame[]) => void): void {
  const { code, input } = decodeJobTexts(job);
  const compiled = realms.compile(code);
  const outcome = typeof compiled === 'string' ? compiled : own.run(compiled, input);
  // Written together, so that the reader wakes once.
  write(...host.framesOf(outcome));
  host = new RunHost();
  if (typeof compiled !== 'string') own.restore(compiled, outcome);
}

/** Seals this process, and answers jobs until the input ends. */
function runProgram(): void {
  try {
    sealProcess({ memoryMb, isCopy: true });
  } catch (error) {
    frames.write([FRAME.unsealed, error instanceof Error ? error.message : String(error)]);
    return;
  }
  frames.write([FRAME.ready, '']);
  for (let frame = frames.read(); frame !== undefined; frame = frames.read())
    if (frame.kind === FRAME.job) answer(frame.body, (...answers) => frames.write(...answers));
}

// Run once with a real job, so that the code path is compiled.
const input = Buffer.from(JSON.stringify(EMPTY_INPUT));
answer(Buffer.concat(encodeJob({ code: Buffer.from(PLAIN_CODE), input })), () => undefined);
serveForks(runProgram);
stripMainRealm(reachable);
