import type { Buffer } from 'node:buffer';
import { BlockingFrames } from '../child/blocking-frames';
import { RunHost } from '../child/run-host';
import { stripMainRealm } from '../child/main-realm';
import type { RealmOutcome } from '../child/run-in-realm';
import { serveForks } from '../fork/serve-forks';
import { MAX_JOB_BYTES, SANDBOX_LIMITS } from '../pools/limits';
import { decodeJobTexts, FRAME } from '../process/frames';
import { sealProcess } from '../seal/seal';
import { loadPython, type Python } from './load-python';
import { answerPython } from './python-host';
import { readPythonFiles } from './python-package';
import { warmUpPython } from './warm-up';

const memoryMb = Number(process.argv[2]);
const folder = process.argv[3] ?? '';
const frames = new BlockingFrames(MAX_JOB_BYTES);
let isServing = false;

/** Output is dropped before this process is sealed. */
const newHost = (): RunHost =>
  new RunHost((lines) => {
    if (isServing) frames.write([FRAME.console, lines]);
  });
/** Replaced for each run. */
let host = newHost();

function outcomeOf(python: Python, job: Buffer): RealmOutcome {
  const { code, input } = decodeJobTexts(job);
  try {
    const report = python.run(code, input);
    if (report === 'memory' || report === 'never') return { stopped: report };
    return report.length > SANDBOX_LIMITS.resultBytes ? { stopped: 'result' } : report;
  } catch {
    // The thrown value belongs to the realm and is not inspected here.
    return { stopped: 'engine' };
  }
}

/** Seals this process, and answers jobs until the input ends. */
function runProgram(python: Python): void {
  try {
    sealProcess({ memoryMb, isCopy: true });
  } catch (error) {
    frames.write([FRAME.unsealed, error instanceof Error ? error.message : String(error)]);
    return;
  }
  isServing = true;
  frames.write([FRAME.ready, '']);
  for (let frame = frames.read(); frame !== undefined; frame = frames.read()) {
    if (frame.kind !== FRAME.job) continue;
    const outcome = outcomeOf(python, frame.body);
    frames.write(...host.framesOf(outcome));
    host = newHost();
  }
}

async function serve(): Promise<void> {
  const python = await loadPython(readPythonFiles(folder), {
    // Pyodide writes to the console of its realm when it fails.
    realm: (operation, text) => (operation === 'log' ? '{}' : host.answer(operation, text)),
    python: (operation, text) => answerPython(operation, text, host.calls),
  });
  warmUpPython(python);
  host = newHost();
  serveForks(() => runProgram(python));
  stripMainRealm([]);
}

void serve();
