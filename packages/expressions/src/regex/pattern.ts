import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import { LIMITS } from '../limits';
import { ErrorValue, Thrown } from '../runtime/thrown';
import { toRe2 } from './to-re2';
import { worstCase } from './worst-case';

/** Characters that the backtracking engine may read for one call; some tens of milliseconds of work. */
const MAX_NATIVE_COST = 20_000_000;
/** Elements of a pattern after its counts are written out: engines do that when they compile it. */
const MAX_EXPANDED_SIZE = 20_000;
/** Longest text that a safe length is worked out for. */
const MAX_TEXT_LENGTH = LIMITS.textLength * 4;

interface PatternOptions {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
}

/**
 * A regular expression that has been read, with the ways it can be run. Each is prepared when it is first asked for.
 */
export class Pattern {
  /** Names of the groups by their number; undefined for a group without a name. */
  readonly groupNames: readonly (string | undefined)[];
  private readonly options: PatternOptions;
  private hostGlobal: RegExp | undefined;
  private hostSticky: RegExp | undefined;
  private safeUpTo: number | undefined;
  private linearForm: { readonly engine: RE2JS | undefined } | undefined;

  constructor(
    readonly source: string,
    /** In alphabetical order, as `RegExp` has them. */
    readonly flags: string,
    private readonly tree: AST.Pattern,
  ) {
    const names: (string | undefined)[] = [];
    collectNames(tree, names);
    this.groupNames = names;
    this.options = {
      ignoreCase: flags.includes('i'),
      multiline: flags.includes('m'),
      dotAll: flags.includes('s'),
      unicode: flags.includes('u'),
    };
  }

  /** JavaScript's own engine; looks for a match from its `lastIndex` on. */
  get native(): RegExp {
    // Not linear: for strings up to `nativeUpTo`.
    this.hostGlobal ??= new RegExp(this.source, `${this.hostFlags}g`);
    return this.hostGlobal;
  }

  /** JavaScript's own engine; looks for a match at its `lastIndex` only. */
  get sticky(): RegExp {
    // Not linear: for strings up to `nativeUpTo`.
    this.hostSticky ??= new RegExp(this.source, `${this.hostFlags}y`);
    return this.hostSticky;
  }

  /** Longest text for which JavaScript's own engine is proven to end soon. */
  get nativeUpTo(): number {
    this.safeUpTo ??= safeLength((length) => worstCase(this.tree, this.options, length));
    return this.safeUpTo;
  }

  /** An engine that is linear in the length of the text; undefined if the pattern cannot be expressed in it. */
  get linear(): RE2JS | undefined {
    this.linearForm ??= { engine: compileLinear(toRe2(this.tree, this.options)) };
    return this.linearForm.engine;
  }

  /** True if the linear engine is only right for strings whose lines end with 
   alone. */
  get needsPlainLines(): boolean {
    return this.options.multiline;
  }

  private get hostFlags(): string {
    return this.flags.replace(/[dgy]/g, '');
  }
}

/**
 * Reads a regular expression.
 * @throws Thrown SyntaxError, as `new RegExp` does
 */
export function readPattern(source: string, flags: string): Pattern {
  if (source.length > LIMITS.patternLength)
    throw syntaxError(`The regular expression is longer than ${LIMITS.patternLength} characters`);
  if (!/^[dgimsuy]*$/.test(flags) || new Set(flags).size < flags.length)
    throw syntaxError(`Invalid flags '${flags}' of a regular expression`);
  const text = source === '' ? '(?:)' : source;
  const tree = parse(text, flags.includes('u'));
  if (expandedSize(tree.alternatives) > MAX_EXPANDED_SIZE)
    throw syntaxError('The counts in the regular expression multiply to too many');
  return new Pattern(text, [...flags].sort().join(''), tree);
}

function expandedSize(alternatives: AST.Pattern['alternatives']): number {
  let size = 1;
  for (const { elements } of alternatives) for (const part of elements) size += expandedElementSize(part);
  return size;
}

function expandedElementSize(part: AST.Element): number {
  if (part.type === 'Quantifier') {
    const copies = part.max === Infinity ? part.min + 1 : part.max;
    return Math.max(1, copies) * expandedElementSize(part.element);
  }
  return 'alternatives' in part ? expandedSize(part.alternatives) : 1;
}

function parse(source: string, unicode: boolean): AST.Pattern {
  try {
    return new RegExpParser({ ecmaVersion: 2023 }).parsePattern(source, 0, source.length, { unicode });
  } catch (error) {
    if (error instanceof RangeError) throw syntaxError('The regular expression is nested too deeply');
    throw syntaxError(error instanceof Error ? error.message : 'Invalid regular expression');
  }
}

/** Collects the names of capturing groups in the order in which they open. */
function collectNames(part: AST.Pattern | AST.Element, names: (string | undefined)[]): void {
  if (part.type === 'CapturingGroup') names.push(part.name ?? undefined);
  if (part.type === 'Quantifier') collectNames(part.element, names);
  else if ('alternatives' in part) {
    for (const { elements } of part.alternatives) for (const child of elements) collectNames(child, names);
  }
}

function compileLinear(pattern: string | undefined): RE2JS | undefined {
  if (pattern === undefined) return undefined;
  try {
    return RE2JS.compile(pattern);
  } catch {
    // Larger than RE2 allows: there is no linear form then.
    return undefined;
  }
}

/** The greatest length, up to a bound, at which the cost stays small. The cost grows with the length. */
function safeLength(costAt: (length: number) => number): number {
  if (costAt(MAX_TEXT_LENGTH) <= MAX_NATIVE_COST) return MAX_TEXT_LENGTH;
  let low = 0;
  let high = MAX_TEXT_LENGTH;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (costAt(middle) <= MAX_NATIVE_COST) low = middle;
    else high = middle;
  }
  return low;
}

function syntaxError(message: string): Thrown {
  return new Thrown(new ErrorValue('SyntaxError', message));
}
