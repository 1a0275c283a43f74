import { COMMANDS } from './commands/all';
import { COMMON_OPTIONS, type CommandSpec, type OptionSpec } from './commands/command';

const BEGIN = '<!-- begin of the commands: npm run docs:cli -->';
const END = '<!-- end of the commands -->';

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();

const usageOf = ({ path, args = [] }: CommandSpec): string =>
  ['weft', path, ...args.map(({ name, optional }) => (optional === true ? `[${name}]` : `<${name}>`))].join(' ');

const optionLine = ({ flags, description }: OptionSpec): string => `| \`${flags}\` | ${cell(description)} |`;

const sectionOf = (spec: CommandSpec): string =>
  [
    `### \`${usageOf(spec)}\``,
    '',
    `${spec.summary}.`,
    ...((spec.options ?? []).length === 0
      ? []
      : ['', '| option | meaning |', '|---|---|', ...(spec.options ?? []).map(optionLine)]),
    '',
  ].join('\n');

const commands = (): string =>
  [
    'Every command has these options:',
    '',
    '| option | meaning |',
    '|---|---|',
    ...COMMON_OPTIONS.map(optionLine),
    '',
    ...COMMANDS.filter(({ path }) => path !== 'complete').map(sectionOf),
  ].join('\n');

/** The page with the commands of this program between the two marks. @throws Error if the marks are missing */
export const referenceOf = (page: string): string => {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`The page has no "${BEGIN}" and "${END}".`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${commands()}\n${page.slice(end)}`;
};
