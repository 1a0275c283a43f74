import { COSTS } from '../methods/costs';
import { findText } from '../runtime/find-text';
import type { FunctionValue } from '../runtime/values/function-value';
import { toText } from '../runtime/convert';
import type { Run } from '../runtime/run';
import type { RegexMatch } from '../scope';
import { findMatch } from './find-match';
import type { RegexValue } from './regex-value';

/** Replacement of a match: a string in which `$1` and the like are filled in, or the result of a function. */
type Replacement = string | FunctionValue;

/** Joins a string piece by piece, checked against the budget before each piece. */
class TextBuilder {
  private length = 0;
  private readonly pieces: string[] = [];

  constructor(private readonly run: Run) {}

  add(piece: string): void {
    this.length += piece.length;
    this.run.allowText(this.length, piece.length);
    this.pieces.push(piece);
  }

  text(): string {
    return this.pieces.join('');
  }
}

/** Replaces the first match of a regular expression, or all matches if it is global. */
export function replaceRegex(run: Run, text: string, regex: RegexValue, by: Replacement): string {
  const result = new TextBuilder(run);
  let position = 0;
  let from = regex.isSticky && !regex.isGlobal ? regex.lastIndex : 0;
  for (;;) {
    const found = findMatch(run, regex, text, from);
    if (found === undefined) break;
    const length = found.groups[0]?.length ?? 0;
    result.add(text.slice(position, found.index));
    result.add(replacementFor(run, found, text, by));
    position = found.index + length;
    if (!regex.isGlobal) break;
    from = length === 0 ? position + 1 : position;
  }
  result.add(text.slice(position));
  if (regex.isGlobal) regex.lastIndex = 0;
  return result.text();
}

/** Replaces the first place, or all places, where `sought` stands in the text. */
export function replaceText(run: Run, text: string, sought: string, by: Replacement, all: boolean): string {
  const result = new TextBuilder(run);
  let position = 0;
  run.read(text.length, COSTS.String.indexOf);
  let index = findText(run, text, sought);
  while (index >= 0) {
    run.step(1);
    result.add(text.slice(position, index));
    result.add(replacementFor(run, { index, groups: [sought] }, text, by));
    position = index + sought.length;
    if (!all || index >= text.length) break;
    index = findText(run, text, sought, sought.length === 0 ? index + 1 : position);
  }
  result.add(text.slice(position));
  return result.text();
}

function replacementFor(run: Run, match: RegexMatch, text: string, by: Replacement): string {
  if (typeof by === 'string') return by.includes('$') ? fillIn(run, by, match, text) : by;
  const named = match.named === undefined ? [] : [match.named];
  return toText(run, by.call(run, undefined, [...match.groups, match.index, text, ...named]));
}

/** Fills in `$$`, `$&`, `` $` ``, `$'`, `$1` to `$99` and, if the expression has named groups, `$<name>`. */
function fillIn(run: Run, by: string, match: RegexMatch, text: string): string {
  const whole = match.groups[0] ?? '';
  const result = new TextBuilder(run);
  const lastEnd = match.named === undefined ? -1 : by.lastIndexOf('>');
  let position = 0;
  for (let at = by.indexOf('$'); at >= 0; at = by.indexOf('$', Math.max(position, at + 1))) {
    run.step(1);
    const mark = markAt(by, at, lastEnd);
    if (mark === undefined) continue;
    const { written, sign, digits, name } = mark;
    result.add(by.slice(position, at));
    position = at + written.length;
    if (name !== undefined) result.add(namedGroup(match, name));
    else if (digits !== undefined) result.add(numberedGroup(match, digits, written));
    else if (sign === '$') result.add('$');
    else if (sign === '&') result.add(whole);
    else if (sign === '`') result.add(text.slice(0, match.index));
    else result.add(text.slice(match.index + whole.length));
  }
  result.add(by.slice(position));
  return result.text();
}

function namedGroup({ named = {} }: RegexMatch, name: string): string {
  return Object.hasOwn(named, name) ? (named[name] ?? '') : '';
}

interface Mark {
  readonly written: string;
  readonly sign?: string;
  readonly digits?: string;
  readonly name?: string;
}

/** The mark at a `$`; undefined if it stands for itself. `lastEnd` is the last place at which a name can end. */
function markAt(by: string, at: number, lastEnd: number): Mark | undefined {
  const sign = by.charAt(at + 1);
  if (sign === '<' && at < lastEnd) {
    const end = by.indexOf('>', at + 2);
    return { written: by.slice(at, end + 1), name: by.slice(at + 2, end) };
  }
  if (sign !== '' && "$&`'".includes(sign)) return { written: `$${sign}`, sign };
  const digits = /^\d{1,2}/.exec(by.slice(at + 1, at + 3))?.[0];
  return digits === undefined ? undefined : { written: `$${digits}`, digits };
}

function numberedGroup(match: RegexMatch, digits: string, written: string): string {
  const count = match.groups.length - 1;
  const both = Number(digits);
  if (both >= 1 && both <= count) return match.groups[both] ?? '';
  const first = Number(digits[0]);
  if (digits.length === 2 && first >= 1 && first <= count) return (match.groups[first] ?? '') + digits[1];
  return written;
}
