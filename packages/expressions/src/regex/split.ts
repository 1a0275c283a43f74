import { findText } from '../runtime/find-text';
import type { Run } from '../runtime/run';
import { findMatch } from './find-match';
import type { RegexValue } from './regex-value';

/** Splits a string at a separator, into at most `limit` parts. */
export function splitText(run: Run, text: string, separator: string, limit: number): string[] {
  if (separator === '') {
    run.allowEntries(limit < 0 ? text.length : Math.min(text.length, limit));
    return text.split('', limit === Infinity ? undefined : limit);
  }
  const parts: string[] = [];
  const most = limit < 0 ? Infinity : limit;
  let position = 0;
  while (parts.length < most) {
    const index = findText(run, text, separator, position);
    run.grow(parts.length + 1);
    parts.push(text.slice(position, index < 0 ? text.length : index));
    if (index < 0) break;
    position = index + separator.length;
  }
  return parts;
}

/** Splits a string at the matches of a regular expression; what its groups caught stands between the parts. */
export function splitRegex(run: Run, text: string, regex: RegexValue, limit: number): (string | undefined)[] {
  const parts: (string | undefined)[] = [];
  const add = (part: string | undefined): void => {
    run.grow(parts.length + 1);
    if (parts.length < limit) parts.push(part);
  };
  let position = 0;
  let from = 0;
  while (from < text.length && parts.length < limit) {
    const found = findMatch(run, regex, text, from);
    const length = found?.groups[0]?.length ?? 0;
    if (found === undefined || found.index >= text.length) break;
    if (found.index + length === position) {
      from += 1;
      continue;
    }
    add(text.slice(position, found.index));
    found.groups.slice(1).forEach(add);
    position = found.index + length;
    from = length === 0 ? position + 1 : position;
  }
  if (text.length > 0 || findMatch(run, regex, text, 0) === undefined) add(text.slice(position));
  return parts;
}
