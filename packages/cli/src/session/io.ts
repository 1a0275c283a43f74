import { readFileSync } from 'node:fs';
import { CommandError, EXIT } from './exit-code';

/** The process around a command. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if a person reads the data. */
  readonly outIsTerminal: boolean;
  /** True if a person can answer questions. */
  readonly inIsTerminal: boolean;
  /** Data, and nothing else. */
  readonly out: (data: string | Uint8Array) => void;
  /** Messages and progress. */
  readonly err: (text: string) => void;
  /** All of stdin, as text. */
  readonly readAll: () => string;
  /** Asks for a line that is not shown. Only with a terminal. */
  readonly askSecret: (question: string) => Promise<string>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const MAX_LINE = 10_000;

const askSecret = (question: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { stdin, stderr } = process;
    let line = '';
    const end = (): void => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    const read = (part: Buffer): void => {
      for (const character of part.toString('utf8'))
        if (character === '\r' || character === '\n') {
          end();
          resolve(line);
          return;
        } else if (character === '\u0003' || character === '\u0004') {
          end();
          reject(new CommandError('Interrupted.', EXIT.interrupted));
          return;
        } else if (character === '\u007f' || character === '\b') line = line.slice(0, -1);
        else if (line.length < MAX_LINE) line += character;
    };
    // Before the question: the terminal shows what is typed until then.
    stdin.setRawMode(true);
    stderr.write(question);
    stdin.resume();
    stdin.on('data', read);
  });

/** The real process. */
export const processIo = (signal: AbortSignal): Io => ({
  env: process.env,
  outIsTerminal: process.stdout.isTTY,
  inIsTerminal: process.stdin.isTTY && process.stderr.isTTY,
  out: (data) => void process.stdout.write(data),
  err: (text) => void process.stderr.write(text),
  readAll: () => readFileSync(0, 'utf8'),
  askSecret,
  signal,
});
