import { parseArgs } from 'node:util';
import { StackError } from '@weft/local-stack';

/** Options of the command. */
export interface Options {
  /** Names of the loads to measure; absent: the defaults of the mode. */
  readonly only?: readonly string[];
  /** Measurements of each load on each stack. */
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** Length of the warm-up of each stack, over all loads together. */
  readonly warmUpSeconds: number;
  /** Folder of another checkout to measure alternating with this one. */
  readonly other?: string;
  /** Folder in which n8n is installed, to measure it alternating with this checkout. */
  readonly n8n?: string;
  /** Measures several numbers of runners and of executions instead of one stack. */
  readonly scale: boolean;
  /** Measures this checkout with metrics and traces at their default, and without either. */
  readonly observed: boolean;
  /** Measures this checkout with mutual TLS between its services, and without. */
  readonly secured: boolean;
  /** Prints the result as JSON, and everything else to the standard error output. */
  readonly json: boolean;
  /** Only prints the usage. */
  readonly help: boolean;
}

const OPTIONS = {
  only: { type: 'string' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '5' },
  'warm-up': { type: 'string', default: '20' },
  with: { type: 'string' },
  n8n: { type: 'string' },
  scale: { type: 'boolean', default: false },
  observed: { type: 'boolean', default: false },
  secured: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** The usage, for `--help` and for errors. @param loads names that `--only` takes */
export const usage = (loads: readonly string[]): string =>
  `Options:
  --only LOAD,LOAD  measures only these of: ${loads.join(', ')}
  --rounds N        measurements of each load (3)
  --seconds S       length of a measurement (5)
  --warm-up S       length of the warm-up of a stack, over all loads together (20)
  --with DIR        measures another checkout of Weft in turns with this one
  --n8n DIR         measures the n8n that is installed in that folder in turns with this checkout
  --scale           measures 1, 2 and 4 runners and 2 replicas of executions, by CPU
  --observed        measures this checkout with metrics and traces at their default, and without either
  --secured         measures this checkout with mutual TLS between its services, and without
  --json            prints the result as JSON`;

const MAX_ROUNDS = 1_000;
const MAX_SECONDS = 3_600;

const readRounds = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1 || value > MAX_ROUNDS)
    throw new StackError(`--rounds is "${text}"; it must be an integer from 1 to ${MAX_ROUNDS}.`);
  return value;
};

const readSeconds = (name: string, text: string, isZeroAllowed: boolean): number => {
  const value = Number(text);
  const isInRange = text !== '' && value <= MAX_SECONDS && (isZeroAllowed ? value >= 0 : value > 0);
  if (!isInRange)
    throw new StackError(
      `--${name} is "${text}"; it must be a number of seconds ${isZeroAllowed ? 'from' : 'above'} 0 ` +
        `and at most ${MAX_SECONDS}.`,
    );
  return value;
};

const readOnly = (text: string, loads: readonly string[]): string[] => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !loads.includes(name));
  if (unknown.length > 0)
    throw new StackError(`--only names "${unknown.join('", "')}"; the loads are: ${loads.join(', ')}.`);
  return [...new Set(names)];
};

const parse = (args: readonly string[], loads: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new StackError(`${sentence.replace(/\.$/, '')}.\n${usage(loads)}`);
  }
};

/**
 * Reads the command line.
 * @param loads names that `--only` takes
 * @throws StackError that names the error and the allowed values
 */
export const readOptions = (args: readonly string[], loads: readonly string[]): Options => {
  const values = parse(args, loads);
  const { scale, observed, secured, n8n } = values;
  if ([scale, observed, secured, values.with !== undefined, n8n !== undefined].filter(Boolean).length > 1)
    throw new StackError('--scale, --observed, --secured, --with and --n8n exclude each other: give one of them.');
  if (values.with === '') throw new StackError('--with is empty; it must be the folder of another checkout of Weft.');
  if (n8n === '') throw new StackError('--n8n is empty; it must be the folder in which n8n is installed.');
  return {
    ...(values.only === undefined ? {} : { only: readOnly(values.only, loads) }),
    rounds: readRounds(values.rounds),
    seconds: readSeconds('seconds', values.seconds, false),
    warmUpSeconds: readSeconds('warm-up', values['warm-up'], true),
    ...(values.with === undefined ? {} : { other: values.with }),
    ...(n8n === undefined ? {} : { n8n }),
    scale,
    observed,
    secured,
    json: values.json,
    help: values.help,
  };
};
