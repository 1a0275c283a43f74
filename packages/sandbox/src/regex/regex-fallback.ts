import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { ExpressionError, type RegexFallback, type RegexSearch } from '@weft/expressions';
import { KILL_AFTER_MS, MAX_SEARCH_MS, REGEX_MS } from '../pools/limits';
import type { OnMissingLayer } from '../spawn-sandbox';
import type { RegexAnswer } from './regex-messages';

/** Milliseconds that the first search may wait for thread and process to start. */
const START_MS = 3_000;
/** Time for the round trip, in milliseconds. */
const EXTRA_MS = 300;
/** Maximum length of the searched text. */
const MAX_TEXT = 4 * 1024 * 1024;

/**
 * Searches with regular expressions of potentially unbounded run time in a separate process, which is killed if they
 * take too long. The calling thread blocks. Thread and process start with the first search, and are reused.
 */
export class SandboxRegex implements RegexFallback {
  #thread: Worker | undefined;
  #port: MessagePort | undefined;
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  readonly #onMissingLayer: OnMissingLayer;
  /** The text that the thread currently holds. */
  #text: string | undefined;

  /** @param onMissingLayer called when the process runs without a layer of confinement */
  constructor(onMissingLayer: OnMissingLayer = () => undefined) {
    this.#onMissingLayer = onMissingLayer;
  }

  exec(pattern: string, flags: string, text: string, from: number): RegexSearch {
    if (text.length > MAX_TEXT) throw tooLong(pattern);
    const isKnown = text === this.#text;
    this.#text = text;
    const answer = this.#ask({ pattern, flags, from, ...(isKnown ? {} : { text }) });
    if ('isLate' in answer) throw tooLong(pattern);
    const { match, workMs } = answer;
    if (match === undefined) return { match: null, workMs };
    const named =
      match.named === undefined
        ? undefined
        : Object.fromEntries(Object.entries(match.named).map(([name, value]) => [name, value ?? undefined]));
    const groups = match.groups.map((group) => group ?? undefined);
    return { match: { index: match.index, groups, named }, workMs };
  }

  /** Ends thread and process. */
  async close(): Promise<void> {
    this.#text = undefined;
    this.#port?.postMessage('close');
    this.#port?.close();
    const thread = this.#thread;
    this.#thread = undefined;
    this.#port = undefined;
    if (thread === undefined) return;
    thread.ref();
    await new Promise((resolve) => thread.once('exit', resolve));
  }

  #ask(question: object): RegexAnswer {
    const isFirst = this.#port === undefined;
    const port = this.#port ?? this.#start();
    Atomics.store(this.#signal, 0, 0);
    port.postMessage(question);
    Atomics.wait(this.#signal, 0, 0, MAX_SEARCH_MS + KILL_AFTER_MS + EXTRA_MS + (isFirst ? START_MS : 0));
    const received: { message: RegexAnswer } | undefined = receiveMessageOnPort(port);
    if (received !== undefined) return received.message;
    // The response was late and must not be taken for that of the next request.
    void this.close();
    return { isLate: true };
  }

  #start(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#thread = new Worker(join(__dirname, 'regex-thread.js'), {
      workerData: { port: port2, signal: this.#signal },
      transferList: [port2],
      env: {},
    });
    this.#thread.unref();
    this.#thread.on('error', () => undefined);
    this.#thread.on('message', this.#onMissingLayer);
    port1.unref();
    this.#port = port1;
    return port1;
  }
}

function tooLong(pattern: string): ExpressionError {
  return new ExpressionError(`The regular expression /${pattern}/ takes too long on a string of this length`, {
    type: 'budget',
    description: `It uses look-around, back-references or nested repetition. A search may take ${REGEX_MS} ms.`,
  });
}
