import { WeftError } from '@weft/client';

/** Exit codes, as docs/cli.md lists them. */
export const EXIT = {
  success: 0,
  /** `diff` and `pull --check`: there are differences. */
  different: 1,
  unexpected: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
  rateLimited: 7,
  runFailed: 10,
  runCancelled: 11,
  runCrashed: 12,
  stillRunning: 13,
  interrupted: 130,
} as const;

/** An exit code. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure that a command describes itself. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

const OF_STATUS: Readonly<Record<number, ExitCode>> = {
  0: EXIT.unavailable,
  400: EXIT.usage,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  412: EXIT.conflict,
  413: EXIT.usage,
  429: EXIT.rateLimited,
  502: EXIT.unavailable,
  503: EXIT.unavailable,
  504: EXIT.unavailable,
};

/** A `CommandError` that was thrown while a request was made, below the error of the client. */
export const commandErrorIn = (error: unknown): CommandError | undefined => {
  if (error instanceof CommandError) return error;
  return error instanceof WeftError && error.cause instanceof CommandError ? error.cause : undefined;
};

/** The message of a failure: that of the `CommandError` below it, if there is one. */
export const messageOf = (error: unknown): string =>
  commandErrorIn(error)?.message ?? (error instanceof Error ? error.message : String(error));

/** The exit code of a failure. */
export const exitCodeOf = (error: unknown): ExitCode => {
  const own = commandErrorIn(error);
  if (own !== undefined) return own.exitCode;
  return error instanceof WeftError ? (OF_STATUS[error.status] ?? EXIT.unexpected) : EXIT.unexpected;
};

/** The most severe first: the exit code of a command with several failures. */
const SEVERITY: readonly ExitCode[] = [
  EXIT.notAllowed,
  EXIT.unavailable,
  EXIT.rateLimited,
  EXIT.unexpected,
  EXIT.usage,
  EXIT.notFound,
  EXIT.conflict,
];

/** The most severe of these exit codes; success for an empty list. */
export const mostSevere = (codes: readonly ExitCode[]): ExitCode =>
  SEVERITY.find((code) => codes.includes(code)) ?? EXIT.success;
