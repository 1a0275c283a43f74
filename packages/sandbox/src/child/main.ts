import type { EncodedJob } from '../frames';
import { decodeJob, encodeFrame, FRAME, FrameReader } from '../frames';
import { MAX_JOB_BYTES } from '../limits';
import { compileQuickJs } from './emscripten';
import type { EngineHost, EngineImage, EngineOptions } from './engine';
import { Engine } from './engine';
import { PAGE_BYTES } from './engine-memory';
import { HostCalls } from './host-calls/host-calls';
import { LOADER, preludeModules } from './load-prelude';
import type { Prelude, RunOutcome } from './run-code';
import { runCode } from './run-code';

/** An engine that nothing has run in, and what it may ask for. */
interface ReadyEngine {
  readonly engine: Engine;
  readonly host: RunHost;
}

/** This process as seen by one run. */
class RunHost implements EngineHost {
  readonly calls = new HostCalls();
  #deadline = Infinity;

  begin(timeoutMs: number): void {
    this.#deadline = performance.now() + timeoutMs;
  }

  /** Milliseconds that are left; not positive once the time is over. */
  readonly remainingMs = (): number => this.#deadline - performance.now();

  shouldStop(): boolean {
    return this.remainingMs() <= 0;
  }

  call(operation: string, text: string): string {
    return this.calls.answer(operation, text);
  }
}

/** Makes engines, one after the other, each as if it were the first. */
class EngineMaker {
  readonly #options: Omit<EngineOptions, 'host'>;
  readonly #image: EngineImage;
  readonly prelude: Prelude;

  private constructor(options: Omit<EngineOptions, 'host'>, image: EngineImage, prelude: Prelude) {
    this.#options = options;
    this.#image = image;
    this.prelude = prelude;
  }

  /** Loads the prelude once; every engine is a copy of the memory after that. */
  static async load(memoryMb: number): Promise<EngineMaker> {
    const options = { program: compileQuickJs(), pagesMax: (memoryMb * 1024 * 1024) / PAGE_BYTES };
    const engine = await Engine.start({ ...options, host: new RunHost() });
    const loader = engine.evaluate(Buffer.from(LOADER), 'prelude');
    const add = engine.property(loader, 'add');
    for (const { name, script } of preludeModules())
      engine.call(add, engine.text(Buffer.from(name)), engine.evaluate(Buffer.from(script), 'prelude'));
    const sandbox = engine.call(engine.property(loader, 'create'), engine.hostFunction());
    const prelude = { start: engine.property(sandbox, 'start'), poll: engine.property(sandbox, 'poll') };
    return new EngineMaker(options, engine.image(), prelude);
  }

  async make(): Promise<ReadyEngine> {
    const host = new RunHost();
    return { engine: await Engine.restore(this.#image, { ...this.#options, host }), host };
  }
}

/** Runs incoming jobs, one at a time; the next engine is made between two jobs. Ends with its input. */
async function runProgram(memoryMb: number, input: NodeJS.ReadStream, output: NodeJS.WriteStream): Promise<void> {
  const send = (kind: number, ...parts: readonly Uint8Array[]): void => {
    for (const part of encodeFrame(kind, ...parts)) output.write(part);
  };
  const maker = await EngineMaker.load(memoryMb);
  const frames = new FrameReader(MAX_JOB_BYTES);
  let next = await maker.make();
  send(FRAME.ready);
  for await (const piece of input) {
    for (const frame of frames.push(Buffer.from(piece))) {
      if (frame.kind !== FRAME.job) continue;
      const { engine, host } = next;
      const outcome = await runJob(engine, host, maker.prelude, decodeJob(frame.body));
      // Written together, so that the reader wakes once.
      output.cork();
      send(FRAME.console, Buffer.from(JSON.stringify(host.calls.takeLines())));
      if ('result' in outcome) send(FRAME.result, outcome.result);
      else send(FRAME.stopped, Buffer.from(JSON.stringify(outcome)));
      output.uncork();
      next = await maker.make();
    }
  }
}

function runJob(engine: Engine, host: RunHost, prelude: Prelude, job: EncodedJob): Promise<RunOutcome> {
  host.begin(job.timeoutMs);
  return runCode(engine, prelude, job, host.remainingMs);
}

void runProgram(Number(process.argv[2]), process.stdin, process.stdout).finally(() => process.exit());
