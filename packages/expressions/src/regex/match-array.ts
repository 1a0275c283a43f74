import type { Run } from '../runtime/run';
import type { RegexMatch } from '../scope';

/** A match as `RegExp.exec` gives it: a list of the groups, with `index`, `input` and `groups` as further fields. */
export function matchArray(run: Run, match: RegexMatch, text: string): unknown[] {
  run.allowEntries(match.groups.length);
  const fields = { index: match.index, input: text, groups: match.named };
  return run.made(Object.assign<unknown[], typeof fields>([...match.groups], fields));
}
