import { toText } from '../../runtime/convert';
import type { Run } from '../../runtime/run';
import { findMatch } from '../../regex/find-match';
import { matchArray } from '../../regex/regex-value';
import { RegexValue } from '../../regex/regex-value';
import type { RegexMatch } from '../../scope';
import { methodTable } from '../method';

const isRegex = (value: unknown): value is RegexValue => value instanceof RegexValue;

/** The next match: a global or sticky expression continues where it left off. */
function next(run: Run, self: RegexValue, text: string): RegexMatch | undefined {
  const keepsPlace = self.isGlobal || self.isSticky;
  const found = findMatch(run, self, text, keepsPlace ? self.lastIndex : 0);
  if (keepsPlace) self.lastIndex = found === undefined ? 0 : found.index + (found.groups[0]?.length ?? 0);
  return found;
}

/** Methods of regular expressions. */
export const regexMethods = methodTable('RegExp', isRegex, {
  exec: (run, self, [text]) => {
    const subject = toText(run, text);
    const found = next(run, self, subject);
    return found === undefined ? null : matchArray(run, found, subject);
  },
  test: (run, self, [text]) => next(run, self, toText(run, text)) !== undefined,
  toString: (run: Run, self: RegexValue) => toText(run, self),
});
