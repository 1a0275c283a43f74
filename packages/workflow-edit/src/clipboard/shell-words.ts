import { EditError } from '../edit-error';

/**
 * Splits a command into words as a POSIX shell does: single and double quotes, `$'…'`, backslashes, and lines that end
 * with a backslash. Nothing is expanded.
 * @throws EditError `INVALID_CURL` for a quote that is not closed, and for a second command
 */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  const closed = (mark: string, from: number): number => {
    const end = command.indexOf(mark, from);
    if (end < 0) throw new EditError('INVALID_CURL', `The quote ${mark} of the curl command is not closed.`, from - 1);
    return end;
  };
  while (at < command.length) {
    const character = command[at] ?? '';
    if (character === "'") {
      const end = closed("'", at + 1);
      word = (word ?? '') + command.slice(at + 1, end);
      at = end + 1;
    } else if (character === '"' || command.startsWith("$'", at)) {
      const quoted = character === '"' ? readDouble(command, at + 1) : readAnsi(command, at + 2);
      word = (word ?? '') + quoted.text;
      at = quoted.end + 1;
    } else if (character === '\\') {
      const next = command.startsWith('\r\n', at + 1) ? '\r\n' : (command[at + 1] ?? '');
      if (next !== '\n' && next !== '\r\n') word = (word ?? '') + next;
      at += 1 + next.length;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      if ((character === '\n' || character === '\r') && command.slice(at).trim() !== '') throw severalCommands(at);
    } else if (';|&<>`'.includes(character)) throw severalCommands(at);
    else {
      word = (word ?? '') + character;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

function severalCommands(position: number): EditError {
  return new EditError(
    'INVALID_CURL',
    'The text must be one curl command. Put quotes around addresses with `&`, and leave out pipes and redirects.',
    position,
  );
}

interface Quoted {
  readonly text: string;
  /** Position of the closing quote. */
  readonly end: number;
}

function readDouble(command: string, from: number): Quoted {
  let text = '';
  for (let at = from; at < command.length; at += 1) {
    const character = command[at] ?? '';
    if (character === '"') return { text, end: at };
    const next = command[at + 1] ?? '';
    if (character === '\\' && next !== '' && '"\\$`\n'.includes(next)) {
      if (next !== '\n') text += next;
      at += 1;
    } else text += character;
  }
  throw new EditError('INVALID_CURL', 'The quote " of the curl command is not closed.', from - 1);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', b: '\b', f: '\f', v: '\v' };

/** The rest of `$'…'`, the form in which browsers copy bodies with quotes. */
function readAnsi(command: string, from: number): Quoted {
  let text = '';
  for (let at = from; at < command.length; at += 1) {
    const character = command[at] ?? '';
    if (character === "'") return { text, end: at };
    if (character !== '\\') {
      text += character;
      continue;
    }
    const code = /^(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(command.slice(at + 1, at + 6));
    const digits = code?.[1] ?? code?.[2];
    if (code !== null && digits !== undefined) {
      text += String.fromCharCode(Number.parseInt(digits, 16));
      at += code[0].length;
    } else {
      at += 1;
      const next = command[at] ?? '';
      text += ESCAPES[next] ?? next;
    }
  }
  throw new EditError('INVALID_CURL', "The quote $' of the curl command is not closed.", from - 2);
}
