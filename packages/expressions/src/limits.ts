/**
 * Limits of the evaluation of one text, all its `{{ }}` together. Everything that can grow is checked against this
 * table before it grows.
 */
export const LIMITS = {
  /** Calls, loop rounds and elements that methods go through. */
  steps: 1_000_000,
  /**
   * Milliseconds of CPU of this thread, however long it has to wait for a processor. Looked at every `clockCredit`
   * units of compiled code.
   */
  workMs: 100,
  /** Milliseconds of CPU of all searches that the scope's `regexFallback` makes, for which this thread waits. */
  searchMs: 200,
  /** Milliseconds for which this thread waits for those searches, however little CPU they had. */
  searchWaitMs: 2_000,
  /** Bytes by which the heap may grow meanwhile, what could be collected included. */
  heapBytes: 128 * 1024 * 1024,
  /** Nodes of compiled code, and steps, between two reads of the clock. */
  clockCredit: 2_000,
  /** Function calls within function calls. */
  callDepth: 200,
  /** Levels of compiled code on the stack, over all calls that are under way. */
  stackLevels: 3_000,
  /** Nesting of one expression's text. */
  syntaxDepth: 250,
  /** Expression bodies in one text. */
  bodies: 2_000,
  /** Characters of one expression body, without the text around it. */
  bodyLength: 100_000,
  /** Characters of a string that an expression makes. */
  textLength: 1 << 20,
  /** Total characters of all strings that one evaluation creates. */
  textTotal: 1 << 25,
  /** Elements of an array, and fields of an object, that an expression makes. */
  arrayLength: 100_000,
  /** Values that a result may hold, all levels together. */
  resultValues: 5_000_000,
  /** Values in those lists and objects of a large result that are in it more than once. */
  repeatedValues: 500_000,
  /** Nesting of values that are copied, compared, parsed or turned into text. */
  dataDepth: 500,
  /** Characters of a string or format that luxon or Intl is asked to read. */
  dateTextLength: 1_000,
  /** Characters of a JMESPath query. */
  queryLength: 2_000,
  /** Characters of a regular expression. */
  patternLength: 2_000,
  /** Compiled templates in the cache, and their total characters. */
  cachedTemplates: 5_000,
  cachedCharacters: 8_000_000,
} as const;
