import type { Pattern } from './pattern';

/** A regular expression as expressions see it. */
export class RegexValue {
  /** Where the next match of a global or sticky expression begins. */
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
