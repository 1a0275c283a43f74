import { cpuMs, heapBytes } from '#platform';
import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';
import type { ExpressionScope } from '../scope';
import { copyData } from './data/copy-data';
import { Escalate, typeError } from './thrown';

/** CPU time that counts as one step: the budgets of steps and of milliseconds last equally long. */
const NANOSECONDS_A_STEP = (LIMITS.workMs * 1_000_000) / LIMITS.steps;

/**
 * The way an evaluation treats values it wants to change:
 * - `plain`: it is believed not to change any; nothing is tracked;
 * - `track`: values that it makes itself are remembered, and may be changed;
 * - `isolate`: it works on copies of the data of the scope, and may change anything.
 */
export type RunMode = 'plain' | 'track' | 'isolate';

/** One evaluation: its scope, what it has left of each budget, and what it owns. */
export class Run {
  /** Calls under way. The code that catches an exception restores it. */
  callDepth = 0;
  /** Levels of compiled code on the stack. Restored like `callDepth`. */
  stackLevels = 0;
  /**
   * True once the expression has made a list, an object or the like. Until then all it can give is the scope's own
   * data.
   */
  hasMade: boolean;
  /** Variables that were assigned without a declaration. */
  readonly implicit = new Map<string, unknown>();

  private steps: number = LIMITS.steps;
  private credit: number = LIMITS.clockCredit;
  private searchMs = 0;
  private searchWaitMs = 0;
  private characters: number = LIMITS.textTotal;
  private startedAt = -1;
  private cpuAtStart = 0;
  private heapAtStart = 0;
  private readonly owned: WeakSet<object> | undefined;
  private readonly copies: Map<object, unknown> | undefined;
  private latest: object | undefined;

  private current: ExpressionScope;

  /**
   * @param isStrict True for a strict template: an exception and an unknown name fail it, and `$fn` is available.
   */
  constructor(
    scope: ExpressionScope,
    mode: RunMode,
    readonly isStrict = false,
  ) {
    this.current = scope;
    this.hasMade = mode === 'isolate';
    this.owned = mode === 'track' ? new WeakSet() : undefined;
    this.copies = mode === 'isolate' ? new Map() : undefined;
  }

  /** The scope the expression is evaluated in. */
  get scope(): ExpressionScope {
    return this.current;
  }

  /** Evaluates something as seen from another scope, for example that of another item. */
  inScope<T>(scope: ExpressionScope, body: () => T): T {
    const outer = this.current;
    this.current = scope;
    try {
      return body();
    } finally {
      this.current = outer;
    }
  }

  /**
   * Takes one step that runs `weight` nodes of code.
   * @throws ExpressionError `budget`
   */
  step(weight: number): void {
    this.steps -= 1;
    this.credit -= weight;
    if (this.credit < 0) this.checkClock();
  }

  /**
   * Takes `count` steps at once, before the work is done.
   * @throws ExpressionError `budget`
   */
  work(count: number): void {
    this.steps -= count;
    this.credit -= count;
    if (this.credit < 0) this.checkClock();
  }

  /**
   * Allows a host function to read `characters`, or to make as many parts, before it is called. Nothing looks at the
   * clock within the call, so one call that could use up the whole time is refused; the clock is read more often the
   * more the calls may take.
   * @param nanoseconds what it takes for each of them, in the worst case
   * @throws ExpressionError `budget`
   */
  read(characters: number, nanoseconds: number): void {
    const work = characters * nanoseconds;
    if (work > LIMITS.workMs * 1_000_000)
      throw overBudget(`calls a function on so much data that it may take longer than ${LIMITS.workMs} ms`);
    this.credit -= work / NANOSECONDS_A_STEP;
    if (this.credit < 0) this.checkClock();
  }

  /** Makes the next step read the clock, after work whose cost was not known beforehand. */
  checkClockSoon(): void {
    this.credit = 0;
  }

  /**
   * Counts a search that was made elsewhere while this thread waited.
   * @throws ExpressionError `budget`
   */
  searched(workMs: number, waitedMs: number): void {
    this.searchMs += workMs;
    this.searchWaitMs += waitedMs;
    if (this.searchMs > LIMITS.searchMs || this.searchWaitMs > LIMITS.searchWaitMs)
      throw overBudget(`searches with regular expressions for longer than ${LIMITS.searchMs} ms`);
  }

  /**
   * Allows a string of `length` characters of which `made` are new in memory. Called before the text is made.
   * @throws ExpressionError `budget`
   */
  allowText(length: number, made: number = length): void {
    if (length > LIMITS.textLength) throw overBudget(`makes a string longer than ${LIMITS.textLength} characters`);
    this.characters -= made;
    // Long strings take time and memory that no other count shows: joined ones are copied when they are read.
    this.credit -= length >> 9;
    if (this.characters < 0) throw overBudget(`makes more than ${LIMITS.textTotal} characters of text in all`);
  }

  /**
   * Allows an array or object of `length` entries and takes as many steps. Called before it is made.
   * @throws ExpressionError `budget`
   */
  allowEntries(length: number): void {
    if (length > LIMITS.arrayLength) throw overBudget(`makes an array of more than ${LIMITS.arrayLength} entries`);
    this.work(length);
  }

  /**
   * Allows a list that is made one by one to have `length` entries, and takes one step.
   * @throws ExpressionError `budget`
   */
  grow(length: number): void {
    if (length > LIMITS.arrayLength) throw overBudget(`makes an array of more than ${LIMITS.arrayLength} entries`);
    this.step(1);
  }

  /**
   * Enters a call that puts `levels` of compiled code on the stack.
   * @throws ExpressionError `budget`
   */
  enterCall(levels: number): void {
    this.callDepth += 1;
    this.stackLevels += levels;
    if (this.callDepth > LIMITS.callDepth || this.stackLevels > LIMITS.stackLevels) {
      throw overBudget(`calls functions within functions more than ${LIMITS.callDepth} deep`);
    }
  }

  /** Leaves a call that ended without an exception. */
  leaveCall(levels: number): void {
    this.callDepth -= 1;
    this.stackLevels -= levels;
  }

  /** True if new containers are remembered. */
  get tracksOwnership(): boolean {
    return this.owned !== undefined;
  }

  /** Marks a container the expression has just made, and returns it. */
  made<T extends object>(container: T): T {
    this.hasMade = true;
    this.latest = container;
    this.owned?.add(container);
    return container;
  }

  /**
   * Allows changing a container: it must be one that the expression made, or a copy.
   * @throws Escalate if that is unknown in this mode, Thrown TypeError for what belongs to the language and is the
   * same for all
   */
  mustOwn(container: object): void {
    if (this.copies !== undefined) {
      if (Object.isFrozen(container)) throw typeError('Cannot change a value that is read only');
      return;
    }
    if (this.owned === undefined) {
      if (this.latest !== container) throw new Escalate('track');
    } else if (!this.owned.has(container)) throw new Escalate('isolate');
  }

  /** Data of the scope as this evaluation may use it: itself, or one copy that is the same each time. */
  take(data: unknown): unknown {
    if (this.copies === undefined || typeof data !== 'object' || data === null) return data;
    return copyData(this, data, this.copies);
  }

  private checkClock(): void {
    if (this.steps < 0) throw overBudget(`takes more than ${LIMITS.steps} steps`);
    this.credit = Math.min(LIMITS.clockCredit, this.steps);
    const now = performance.now();
    if (this.startedAt < 0) {
      this.startedAt = now;
      this.cpuAtStart = cpuMs();
      this.heapAtStart = heapBytes();
      return;
    }
    if (heapBytes() - this.heapAtStart > LIMITS.heapBytes)
      throw overBudget(`takes more than ${LIMITS.heapBytes} bytes of memory`);
    // A busy machine must not fail a modest expression, nor may what other threads of the process do.
    if (now - this.startedAt > LIMITS.workMs && cpuMs() - this.cpuAtStart > LIMITS.workMs) {
      throw overBudget(`takes longer than ${LIMITS.workMs} ms`);
    }
  }
}

/** The error of an expression that uses up a budget. `doing` completes the sentence "The expression …". */
export function overBudget(doing: string): ExpressionError {
  return new ExpressionError(`The expression ${doing}`, {
    type: 'budget',
    description: 'Expressions are for small computations. Use a Code node for larger ones.',
  });
}
