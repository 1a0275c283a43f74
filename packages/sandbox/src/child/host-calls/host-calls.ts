import { Buffer } from 'node:buffer';
import { SANDBOX_LIMITS } from '../../pools/limits';
import { cipher, cryptoNames, deriveKey, exportKey, makeKeys, readKey, rsa, signature } from './cipher-operations';
import { hash, hmac, parseUrl, randomNumbers } from './operations';

/** An operation: JSON in, JSON out. Its exceptions are thrown in the realm. */
type Operation = (argument: unknown) => unknown;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['hash', hash],
  ['hmac', hmac],
  ['parseUrl', parseUrl],
  ['random', randomNumbers],
  ['cipher', cipher],
  ['cryptoNames', cryptoNames],
  ['deriveKey', deriveKey],
  ['exportKey', exportKey],
  ['makeKeys', makeKeys],
  ['readKey', readKey],
  ['rsa', rsa],
  ['signature', signature],
]);

/**
 * Everything that code can ask of the process around its realm: pure computations that the language lacks, and the
 * console. None of it reaches a file, the network or the environment. One object per run.
 */
export class HostCalls {
  #lines: string[] = [];
  #consoleBytes = 0;
  readonly #onLine: (isLast: boolean) => void;

  /** @param onLine called for each line of console output; `isLast`: further lines are dropped */
  constructor(onLine: (isLast: boolean) => void = () => undefined) {
    this.#onLine = onLine;
  }

  /** Console output since the last call, one entry per console call, truncated at the limit. */
  takeLines(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** Executes an operation. Returns `{"value":…}` or `{"error":{"name":…,"message":…}}` as text. */
  answer(name: string, text: string): string {
    try {
      if (name === 'log') {
        this.#log(text);
        return '{}';
      }
      const operation = OPERATIONS.get(name);
      if (operation === undefined) throw new TypeError(`There is no operation ${name}`);
      return JSON.stringify({ value: operation(JSON.parse(text)) });
    } catch (error) {
      const { name: kind, message } = error instanceof Error ? error : new Error('The operation failed');
      return JSON.stringify({ error: { name: kind, message } });
    }
  }

  #log(line: string): void {
    if (this.#consoleBytes >= SANDBOX_LIMITS.consoleBytes) return;
    const room = SANDBOX_LIMITS.consoleBytes - this.#consoleBytes;
    this.#consoleBytes += Buffer.byteLength(line) + 1;
    this.#lines.push(
      this.#consoleBytes <= SANDBOX_LIMITS.consoleBytes
        ? line
        : `${Buffer.from(line).subarray(0, room).toString()} … (the rest of the output was left out)`,
    );
    this.#onLine(this.#consoleBytes >= SANDBOX_LIMITS.consoleBytes);
  }
}
