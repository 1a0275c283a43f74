import { Buffer } from 'node:buffer';
import { EMPTY_INPUT } from '../code/code-data';
import { decodeJobTexts, encodeJob, FRAME } from '../process/frames';
import { MAX_JOB_BYTES } from '../pools/limits';
import { serveForks } from '../fork/serve-forks';
import { BlockingFrames } from './blocking-frames';
import { stripMainRealm } from './main-realm';
import { ProcessRealms } from './process-realms';
import { Realms } from './realms';
import { type AnswerFrame, RunHost } from './run-host';
import { serveJobs } from './serve-jobs';
import { PLAIN_CODE, warmUp } from './warm-up';

const frames = new BlockingFrames(MAX_JOB_BYTES);

const newHost = (): RunHost => new RunHost((lines) => frames.write([FRAME.console, lines]));

// Shared by all processes: no user code has run in it.
const memoryMb = Number(process.argv[2]);
let host = newHost();
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
  host = newHost();
  if (typeof compiled !== 'string') own.restore(compiled, outcome);
}

// Run once with a real job, so that the code path is compiled.
const input = Buffer.from(JSON.stringify(EMPTY_INPUT));
answer(Buffer.concat(encodeJob({ code: Buffer.from(PLAIN_CODE), input })), () => undefined);
serveForks(() => serveJobs(frames, memoryMb, (job) => answer(job, (...answers) => frames.write(...answers))));
stripMainRealm(reachable);
