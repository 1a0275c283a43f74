import { StackError } from '../errors';
import type { Report } from '../errors';

/** Context of a command. */
export interface CommandContext {
  /** Prints one line for the person at the keyboard. */
  readonly report: Report;
  /** Resolves at the first Ctrl-C or SIGTERM. */
  readonly stopped: Promise<void>;
  /** Rejects then, for work that is given up. */
  readonly interrupted: Promise<never>;
}

/** One Ctrl-C under npm arrives twice, from the terminal and from npm. */
const ECHO_MS = 500;

/**
 * Runs the body of a command and ends the process with the exit code it gives. A {@link StackError} is printed as its
 * sentence alone, any other error with its stack; both end with 1. The first Ctrl-C or SIGTERM resolves `stopped`; the
 * second ends this process at once with 130, and its children with it.
 */
export function runAsCommand(body: (context: CommandContext) => Promise<number>): void {
  const report: Report = (line) => process.stdout.write(`${line}\n`);
  const stopped = new Promise<void>((settle) => {
    let firstAt: number | undefined;
    const heard = (): void => {
      if (firstAt === undefined) {
        firstAt = Date.now();
        return settle();
      }
      if (Date.now() - firstAt < ECHO_MS) return;
      process.exit(130);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, heard);
  });
  const interrupted = stopped.then(() => {
    throw new StackError('Stopped.');
  });
  interrupted.catch(() => undefined);
  body({ report, stopped, interrupted }).then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${describe(error)}\n`);
      process.exit(1);
    },
  );
}

function describe(error: unknown): string {
  if (error instanceof StackError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
