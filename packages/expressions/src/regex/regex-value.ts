import type { Pattern } from './pattern';
import type { Run } from '../runtime/run';
import type { RegexMatch } from '../scope';

/** A regular expression as expressions see it. */
export class RegexValue {
  /** Start of the next match of a global or sticky expression. */
  lastIndex = 0;

  constructor(readonly pattern: Pattern) {}

  get source(): string {
    return this.pattern.source;
  }

  get flags(): string {
    return this.pattern.flags;
  }

  get isGlobal(): boolean {
    return this.pattern.flags.includes('g');
  }

  get isSticky(): boolean {
    return this.pattern.flags.includes('y');
  }
}

/** A match as `RegExp.exec` gives it: a list of the groups, with `index`, `input` and `groups` as further fields. */
export function matchArray(run: Run, match: RegexMatch, text: string): unknown[] {
  run.allowEntries(match.groups.length);
  const fields = { index: match.index, input: text, groups: match.named };
  return run.made(Object.assign<unknown[], typeof fields>([...match.groups], fields));
}
