import type { RE2JS } from 're2js';
import type { RegexMatch } from '../scope';
import { ExpressionError } from '../errors';
import { overBudget } from '../runtime/run';
import type { Run } from '../runtime/run';
import type { Pattern } from './pattern';
import type { RegexValue } from './regex-value';

/** Steps of the linear engine that one search may take: length of the text times size of the program. */
const MAX_LINEAR_COST = 5_000_000;

/**
 * The first match in `text` at or after `from` (exactly at `from` for a sticky expression); undefined without a match.
 * The pattern runs in the engine that is sure to end: JavaScript's where its worst case is small for this text, else a
 * linear one, else the fallback of the scope.
 * @throws ExpressionError `budget` if no engine is sure to end
 */
export function findMatch(run: Run, regex: RegexValue, text: string, from: number): RegexMatch | undefined {
  const { pattern, isSticky } = regex;
  run.step(1);
  if (from > text.length) return undefined;
  if (text.length <= pattern.nativeUpTo) return findNative(run, pattern, isSticky, text, from);
  const { linear } = pattern;
  const isLinearRight = linear !== undefined && (!pattern.needsPlainLines || !/[\r\u2028\u2029]/.test(text));
  if (isLinearRight && text.length * linear.programSize() <= MAX_LINEAR_COST)
    return findLinear(run, pattern, linear, isSticky, text, from);
  const fallback = run.scope.regexFallback;
  if (fallback === undefined) throw refused(pattern, isLinearRight);
  const askedAt = performance.now();
  const { match, workMs } = fallback.exec(pattern.source, pattern.flags, text, from);
  run.searched(workMs, performance.now() - askedAt);
  return match ?? undefined;
}

function findNative(run: Run, pattern: Pattern, isSticky: boolean, text: string, from: number): RegexMatch | undefined {
  const engine = isSticky ? pattern.sticky : pattern.native;
  engine.lastIndex = from;
  const found = engine.exec(text);
  const end = found === null ? text.length : engine.lastIndex;
  run.work((end - from) >> 6);
  if (text.length > 1000) run.checkClockSoon();
  if (found === null) return undefined;
  return { index: found.index, groups: [...found], named: found.groups };
}

function findLinear(
  run: Run,
  pattern: Pattern,
  engine: RE2JS,
  isSticky: boolean,
  text: string,
  from: number,
): RegexMatch | undefined {
  const matcher = engine.matcher(text);
  const isFound = matcher.find(from);
  run.checkClockSoon();
  if (!isFound || (isSticky && matcher.start() !== from)) return undefined;
  const groups = Array.from(
    { length: engine.groupCount() + 1 },
    (_, group): string | undefined => matcher.group(group) ?? undefined,
  );
  return { index: matcher.start(), groups, named: namedGroups(pattern, groups) };
}

function namedGroups(
  pattern: Pattern,
  groups: readonly (string | undefined)[],
): Record<string, string | undefined> | undefined {
  if (pattern.groupNames.every((name) => name === undefined)) return undefined;
  const named: Record<string, string | undefined> = {};
  pattern.groupNames.forEach((name, index) => {
    if (name !== undefined && name !== '__proto__') named[name] = groups[index + 1];
  });
  return named;
}

function refused(pattern: Pattern, isTooLong: boolean): ExpressionError {
  if (isTooLong) return overBudget('uses a regular expression that is too large for a string of that length');
  return new ExpressionError(
    `The regular expression /${pattern.source}/ may take too long on a string of this length`,
    {
      type: 'budget',
      description:
        `It uses look-around, back-references or nested repetition, for which strings up to ${pattern.nativeUpTo} ` +
        'characters are allowed.',
    },
  );
}
