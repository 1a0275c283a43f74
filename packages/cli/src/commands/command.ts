import type { Weft } from '@weft/client';
import { FORMATS, type Printer } from '../output/print';
import type { ExitCode } from '../session/exit-code';
import type { Io } from '../session/io';
import type { SessionOptions } from '../session/session';

/** An option of a command. */
export interface OptionSpec {
  /** As in help: `--set NAME`, `-f, --file PATH`, `--prune`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** May be given several times. */
  readonly repeats?: true;
  readonly required?: true;
}

/** A positional argument of a command. */
export interface ArgumentSpec {
  readonly name: string;
  readonly description: string;
  readonly optional?: true;
  /** The last argument may be given several times. */
  readonly repeats?: true;
  readonly choices?: readonly string[];
}

/** Options as they were given, by name in camelCase. */
export interface Options {
  readonly text: (name: string) => string | undefined;
  readonly isSet: (name: string) => boolean;
  readonly list: (name: string) => readonly string[];
}

/** One use of a command. */
export interface Call {
  readonly io: Io;
  readonly print: Printer;
  /** Positional arguments; an optional one that is not given is empty. */
  readonly args: readonly string[];
  readonly options: Options;
  /** For commands that open a session with another address. */
  readonly sessionOptions: SessionOptions;
  /** Milliseconds of `--timeout`. */
  readonly timeoutMs: number;
  /** The client of the chosen context. @throws CommandError without one */
  readonly weft: () => Weft;
}

/** A command, from which program, help, completion and reference are made. */
export interface CommandSpec {
  /** Such as `workflow list`. */
  readonly path: string;
  readonly summary: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly run: (call: Call) => ExitCode | Promise<ExitCode>;
}

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '-o, --output FORMAT',
    description: 'table (on a terminal), json, jsonl or yaml',
    choices: FORMATS,
  },
  { flags: '-q, --quiet', description: 'ids only' },
  { flags: '--context NAME', description: 'use this context' },
  { flags: '--timeout DURATION', description: 'how long to wait for rate limits, or for a run; default 10m' },
  { flags: '--debug', description: 'one line for each request, on stderr' },
];
