import type { Weft } from '@weft/client';
import { Command, CommanderError, Argument, Option } from 'commander';
import { COMMON_OPTIONS, type Call, type CommandSpec, type Options, type OptionSpec } from './commands/command';
import { plainText } from './output/plain-text';
import { FORMATS, printer } from './output/print';
import { printError } from './output/print-error';
import { durationOf } from './session/duration';
import { EXIT, exitCodeOf, type ExitCode } from './session/exit-code';
import type { Io } from './session/io';
import { connect } from './session/session';

const DEFAULT_TIMEOUT = '10m';

const addOption = (command: Command, { flags, description, choices, repeats, required }: OptionSpec): void => {
  // Commander marks values by brackets.
  const option = new Option(flags.replace(/ ([A-Z][A-Z/=]*)$/, ' <$1>'), description);
  if (choices !== undefined) option.choices(choices);
  if (repeats === true) option.argParser((value: string, all?: readonly string[]) => [...(all ?? []), value]);
  option.makeOptionMandatory(required === true);
  command.addOption(option);
};

const optionsOf = (values: Readonly<Record<string, unknown>>): Options => ({
  text: (name) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  },
  // Commander stores `--no-wait` as `wait: false`.
  isSet: (name) =>
    values[name] === true ||
    (name.startsWith('no') && values[`${name.charAt(2).toLowerCase()}${name.slice(3)}`] === false),
  list: (name) => {
    const value = values[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  },
});

const callOf = (io: Io, args: readonly string[], options: Options): Call => {
  const format = FORMATS.find((one) => one === options.text('output')) ?? (io.outIsTerminal ? 'table' : 'json');
  const timeoutMs = durationOf(options.text('timeout') ?? DEFAULT_TIMEOUT);
  let weft: Weft | undefined;
  const sessionOptions = { context: options.text('context'), timeoutMs, debug: options.isSet('debug') };
  return {
    io,
    print: printer(io, format, options.isSet('quiet')),
    args,
    options,
    sessionOptions,
    timeoutMs,
    weft: () => (weft ??= connect(io, sessionOptions).weft),
  };
};

/** Group commands, such as `workflow`, with their summaries. */
export type Groups = Readonly<Record<string, string>>;

/** Adds a command below its group. */
const addCommand = (
  program: Command,
  groups: Map<string, Command>,
  spec: CommandSpec,
  perform: (args: readonly string[], options: Options) => Promise<void>,
): void => {
  const words = spec.path.split(' ');
  const parent = words.length > 1 ? (groups.get(words[0] ?? '') ?? program) : program;
  const command = parent.command(words.at(-1) ?? '').description(spec.summary);
  for (const { name, description, optional, repeats, choices } of spec.args ?? []) {
    const shown = repeats === true ? `${name}...` : name;
    const argument = new Argument(optional === true ? `[${shown}]` : `<${shown}>`, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of [...(spec.options ?? []), ...COMMON_OPTIONS]) addOption(command, option);
  command.action(async (...given: unknown[]) => {
    const args = (spec.args ?? []).flatMap((_, index) => {
      const value = given[index];
      if (Array.isArray(value)) return value.map(String);
      return [typeof value === 'string' ? value : ''];
    });
    await perform(args, optionsOf(command.opts()));
  });
};

/**
 * Runs a command line and returns its exit code.
 *
 * @param words without the program.
 */
export const runProgram = async (
  io: Io,
  specs: readonly CommandSpec[],
  groupSummaries: Groups,
  release: string,
  words: readonly string[],
): Promise<ExitCode> => {
  let exitCode: ExitCode = EXIT.success;
  let asJson = !io.outIsTerminal;
  const program = new Command('weft');
  program
    .description('Weft from the command line: workflows in Git, runs and their logs.')
    .version(release, '--version')
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: (text) => io.err(plainText(text)) })
    .showSuggestionAfterError()
    .helpCommand('help [COMMAND]', 'Help for a command');
  const used = new Set(specs.map(({ path }) => path.split(' ')[0]));
  const groups = new Map(
    Object.entries(groupSummaries)
      .filter(([name]) => used.has(name))
      .map(([name, summary]) => [name, program.command(name).description(summary)] as const),
  );
  // Building a hundred commands takes longer than performing one.
  const isWord = specs.some(({ path }) => path.split(' ')[0] === words[0]);
  for (const spec of specs.filter(({ path }) => !isWord || path.split(' ')[0] === words[0]))
    addCommand(program, groups, spec, async (args, options) => {
      const call = callOf(io, args, options);
      asJson = call.print.format === 'json' || call.print.format === 'jsonl';
      exitCode = await spec.run(call);
    });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    if (io.signal.aborted) return EXIT.interrupted;
    printError(io, error, asJson);
    return exitCodeOf(error);
  }
};
