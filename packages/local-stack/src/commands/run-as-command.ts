import { StackError } from '../errors';
import type { Report } from '../errors';

/** What a command gets to work with. */
export interface CommandContext {
  /** Prints one line for the person at the keyboard. */
  readonly report: Report;
  /** Settles at the first Ctrl-C or SIGTERM. */
  readonly stopped: Promise<void>;
}

/**
 * Runs the body of a command and ends the process with the exit code it gives. A {@link StackError} is printed as its
 * sentence alone, any other error with its stack; both end with 1. The first Ctrl-C or SIGTERM settles `stopped`;
 * `onSecond` runs at the second, which then ends the process at once with 130.
 */
export function runAsCommand(body: (context: CommandContext) => Promise<number>, onSecond: () => void = () => undefined): void {
  const report: Report = (line) => process.stdout.write(`${line}\n`);
  const stopped = new Promise<void>((settle) => {
    let signals = 0;
    const heard = (): void => {
      signals += 1;
      if (signals === 1) return settle();
      onSecond();
      process.exit(130);
    };
    process.on('SIGINT', heard);
    process.on('SIGTERM', heard);
  });
  body({ report, stopped }).then(
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
