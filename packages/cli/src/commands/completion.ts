import { CommandError, EXIT } from '../session/exit-code';
import { COMMON_OPTIONS, type CommandSpec } from './command';

/** Words that may follow those of a command line. */
const candidates = (specs: readonly CommandSpec[], words: readonly string[]): readonly string[] => {
  const plain = words.filter((word) => !word.startsWith('-'));
  const next = specs
    .map(({ path }) => path.split(' '))
    .filter((path) => path.length > plain.length && plain.every((word, index) => path[index] === word))
    .map((path) => path[plain.length] ?? '');
  if (next.length > 0) return [...new Set(next)].sort();
  const spec = specs.find(({ path }) => plain.join(' ').startsWith(path));
  if (spec === undefined) return [];
  const flags = [...(spec.options ?? []), ...COMMON_OPTIONS].flatMap(
    ({ flags: text }) => /--[a-z-]{1,50}/.exec(text)?.[0] ?? [],
  );
  const choices = (spec.args ?? []).flatMap(({ choices: some }) => some ?? []);
  return [...choices, ...flags];
};

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_weft() {
  local found
  found="$(weft complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _weft weft
`,
  zsh: `#compdef weft
_weft() {
  local -a found
  found=(\${(f)"$(weft complete -- "\${words[@]:1:$((CURRENT - 2))}" 2>/dev/null)"})
  compadd -a found
  _files
}
compdef _weft weft
`,
  fish: `function __weft_complete
  set -l words (commandline -opc)
  weft complete -- $words[2..-1] 2>/dev/null
end
complete -c weft -a '(__weft_complete)'
`,
};

/** Commands for completion, which know all others. */
export const completionCommands = (specs: () => readonly CommandSpec[]): readonly CommandSpec[] => [
  {
    path: 'completion',
    summary: 'Print the completion of a shell: source <(weft completion bash)',
    args: [{ name: 'shell', description: 'bash, zsh or fish', choices: Object.keys(SCRIPTS) }],
    run: ({ io, args }) => {
      const script = SCRIPTS[args[0] ?? ''];
      if (script === undefined) throw new CommandError('Shells: bash, zsh, fish.', EXIT.usage);
      io.out(script);
      return EXIT.success;
    },
  },
  {
    path: 'complete',
    summary: 'Print what may follow these words; for completion scripts',
    args: [{ name: 'words', description: 'words after weft', optional: true, repeats: true }],
    run: ({ io, args }) => {
      for (const one of candidates(specs(), args)) io.out(`${one}\n`);
      return EXIT.success;
    },
  },
];
