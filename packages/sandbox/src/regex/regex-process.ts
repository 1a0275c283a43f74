import type { Frame } from '../process/frames';
import { encodeFrame, FRAME, FrameReader } from '../process/frames';
import { KILL_AFTER_MS, MAX_SEARCH_MS, SANDBOX_LIMITS } from '../pools/limits';
import type { PipedProcess } from '../spawn-sandbox';
import { type OnMissingLayer, SandboxSpawner } from '../spawn-sandbox';
import { readRegexAnswer, type RegexAnswer, type RegexQuestion } from './regex-messages';

/** Time for the process to become ready. */
const START_MS = 5_000;
const LATE: RegexAnswer = { isLate: true };

/** The searching process, restarted whenever it had to be killed. */
export class RegexProcess {
  readonly #spawner: SandboxSpawner;
  #process: PipedProcess | undefined;
  #ready: Promise<boolean> = Promise.resolve(false);
  /** The text of the last request, and the text that the current process has. */
  #text: string | undefined;
  #sentText: string | undefined;
  #waiting: ((answer: RegexAnswer) => void) | undefined;

  /** @param onMissingLayer called when processes run without a layer of confinement */
  constructor(onMissingLayer: OnMissingLayer) {
    this.#spawner = new SandboxSpawner(onMissingLayer);
  }

  /** Answers one search within its time limit and a small margin, plus the start of the process if necessary. */
  async ask(question: RegexQuestion): Promise<RegexAnswer> {
    if (this.#process === undefined) this.#start();
    // If the kernel does not allow a separate network namespace, the first processes end immediately.
    while (!(await this.#ready) && this.#spawner.failed()) this.#start();
    if (!(await this.#ready)) return LATE;
    this.#spawner.proven();
    const { text = this.#text, ...rest } = question;
    this.#text = text;
    const isKnown = text === this.#sentText;
    this.#sentText = text;
    return this.#exchange(isKnown || text === undefined ? rest : { ...rest, text });
  }

  /** Process id; undefined if it is not running. */
  get processId(): number | undefined {
    return this.#process?.pid;
  }

  /** Ends the process. */
  close(): void {
    this.#process?.kill('SIGKILL');
  }

  #exchange(question: RegexQuestion): Promise<RegexAnswer> {
    return new Promise((resolve) => {
      const kill = setTimeout(() => this.#process?.kill('SIGKILL'), MAX_SEARCH_MS + KILL_AFTER_MS);
      this.#waiting = (answer) => {
        this.#waiting = undefined;
        clearTimeout(kill);
        resolve(answer);
      };
      for (const part of encodeFrame(FRAME.regexQuestion, Buffer.from(JSON.stringify(question))))
        this.#process?.stdin.write(part);
    });
  }

  /** Handles a response. An invalid one kills the process, and its request times out. */
  #takeAnswer({ body }: Frame, child: PipedProcess): void {
    const answer = readRegexAnswer(body.toString());
    if (answer === undefined) child.kill('SIGKILL');
    else this.#waiting?.(answer);
  }

  #start(): void {
    const child = this.#spawner.spawn('child/regex-main');
    const frames = new FrameReader(SANDBOX_LIMITS.regexBytes);
    this.#process = child;
    this.#sentText = undefined;
    child.stdin.on('error', () => undefined);
    child.on('error', () => child.stdout.destroy());
    this.#ready = new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), START_MS);
      const finish = (isReady: boolean): void => {
        clearTimeout(timer);
        resolve(isReady);
      };
      child.once('close', () => {
        if (this.#process === child) this.#process = undefined;
        finish(false);
        this.#waiting?.(LATE);
      });
      child.stdout.on('data', (piece: Buffer) => {
        for (const frame of take(frames, piece, child)) {
          if (frame.kind === FRAME.ready) finish(true);
          else if (frame.kind === FRAME.regexAnswer) this.#takeAnswer(frame, child);
        }
      });
    });
  }
}

function take(frames: FrameReader, piece: Buffer, child: PipedProcess): Frame[] {
  try {
    return frames.push(piece);
  } catch {
    child.kill('SIGKILL');
    return [];
  }
}
