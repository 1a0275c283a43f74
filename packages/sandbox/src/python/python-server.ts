import type { Buffer } from 'node:buffer';
import { BlockingFrames } from '../child/blocking-frames';
import { RunHost } from '../child/run-host';
import { stripMainRealm } from '../child/main-realm';
import { type RealmOutcome, withinLimit } from '../child/run-in-realm';
import { serveJobs } from '../child/serve-jobs';
import { serveForks } from '../fork/serve-forks';
import { MAX_JOB_BYTES } from '../pools/limits';
import { decodeJobTexts, FRAME } from '../process/frames';
import { loadPython, type Python } from './load-python';
import { answerPython } from './python-host';
import { readPythonFiles } from './python-package';
import { warmUpPython } from './warm-up';

const memoryMb = Number(process.argv[2]);
const folder = process.argv[3] ?? '';
const frames = new BlockingFrames(MAX_JOB_BYTES);
/** Replaced for each run. Output while Python starts is dropped. */
let host = new RunHost(() => undefined);
const newHost = (): RunHost => new RunHost((lines) => frames.write([FRAME.console, lines]));

function outcomeOf(python: Python, job: Buffer): RealmOutcome {
  const { code, input } = decodeJobTexts(job);
  try {
    const report = python.run(code, input);
    return report === 'memory' || report === 'never' ? { stopped: report } : withinLimit(report);
  } catch {
    // The thrown value belongs to the realm and is not inspected here.
    return { stopped: 'engine' };
  }
}

function answer(python: Python, job: Buffer): void {
  const outcome = outcomeOf(python, job);
  frames.write(...host.framesOf(outcome));
  host = newHost();
}

async function serve(): Promise<void> {
  const python = await loadPython(readPythonFiles(folder), {
    // Pyodide writes to the console of its realm when it fails.
    realm: (operation, text) => (operation === 'log' ? '{}' : host.answer(operation, text)),
    python: (operation, text) => answerPython(operation, text, host.calls),
  });
  warmUpPython(python);
  host = newHost();
  serveForks(() => serveJobs(frames, memoryMb, (job) => answer(python, job)));
  stripMainRealm([]);
}

void serve();
