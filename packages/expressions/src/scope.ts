import type { Json, JsonObject } from '@weft/service-kit/json-values';
import type { DateTime } from 'luxon';

/** One item as an expression sees it. Expressions never change it: writes go to a copy. */
export interface ScopeItem {
  readonly json: JsonObject;
  /** By property name: file name, MIME type, size and the reference of the stored bytes. */
  readonly binary?: Readonly<Record<string, JsonObject>> | undefined;
  readonly pairedItem?: Json | undefined;
  readonly error?: Json | undefined;
}

/** Selects one of a node's results. */
export interface OutputChoice {
  /** Number of the output. Absent: the output through which the current node is connected to that node, else 0. */
  readonly output?: number | undefined;
  /** Number of the run. Absent: the run that led to the current one, else the latest. -1: the latest. */
  readonly run?: number | undefined;
}

/** The node run whose result the current node works on. */
export interface PreviousNode {
  readonly name: string;
  readonly outputIndex: number;
  readonly runIndex: number;
}

/** `$workflow` of an expression. */
export interface ScopeWorkflow {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
}

/** `$execution` of an expression. */
export interface ScopeExecution {
  readonly id: string;
  /** `test` for a manual run, else `production`. */
  readonly mode: string;
  /** Address that continues a run waiting for a webhook. */
  readonly resumeUrl?: string | undefined;
  readonly resumeFormUrl?: string | undefined;
  /** Pairs that nodes of the run have stored for people to find it by. */
  readonly customData?: Readonly<Record<string, string>> | undefined;
}

/**
 * Start of a match, and its groups as `RegExp.exec` gives them: the whole match first, undefined for a group that
 * took no part.
 */
export interface RegexMatch {
  readonly index: number;
  readonly groups: readonly (string | undefined)[];
  /** Named groups, if the pattern has any. */
  readonly named?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A search that has ended in time. */
export interface RegexSearch {
  /** Null if there is none. */
  readonly match: RegexMatch | null;
  /** Milliseconds of CPU that it took. */
  readonly workMs: number;
}

/**
 * Runs the patterns that have no linear-time form (look-around, back-references) under a separate time limit,
 * away from this thread's fate.
 */
export interface RegexFallback {
  /**
   * Looks for the first match of `pattern` in `text` at or after `from`. With the flag `y`, only a match at `from`
   * counts.
   * @throws ExpressionError of type `budget` when the time limit is reached.
   */
  exec(pattern: string, flags: string, text: string, from: number): RegexSearch;
}

/**
 * All that an expression can see of the run it belongs to. The engine implements it; one object stands for one item of
 * one node run, and its methods are called only when the expression names what they give, so they may be lazy.
 */
export interface ExpressionScope {
  /**
   * The current item: `$json`, `$binary`, `$input.item`. Undefined when the node has no input: `$json` is `{}` then.
   */
  readonly item: ScopeItem | undefined;
  /** Index of the current item among `inputItems`. */
  readonly itemIndex: number;
  /** Number of earlier runs of the current node in this execution. */
  readonly runIndex: number;
  /** All items of the current node's input (the first one that has any). */
  readonly inputItems: readonly ScopeItem[];
  /** Name of the node whose parameter is evaluated. */
  readonly nodeName: string;
  /** Id and type version of that node. */
  readonly nodeId: string;
  readonly nodeVersion: number;
  /** How the execution was started: `manual`, `webhook`, `trigger` and so on. */
  readonly mode: string;
  /** Absent for a node that nothing is connected to. */
  readonly prevNode: PreviousNode | undefined;
  readonly workflow: ScopeWorkflow;
  readonly execution: ScopeExecution;
  /** Variables of the instance, `$vars`. */
  readonly vars: Readonly<Record<string, Json>>;
  /** The environment variables that expressions may read, `$env`: an allow list, never the process's own. */
  readonly env: Readonly<Record<string, string>>;
  /** IANA zone of the workflow, for `$now` and for strings without an offset. */
  readonly timezone: string;
  /**
   * Further roots by name, `$` included, for example `$response` and `$pageCount` while a list is fetched page by page.
   */
  readonly extra?: Readonly<Record<string, Json | undefined>> | undefined;
  /** Absent: a pattern that has no linear-time form is refused with a clear message. */
  readonly regexFallback?: RegexFallback | undefined;

  /** The present moment in `timezone`. The same for all expressions of one node run is fine, and cheaper. */
  now(): DateTime;

  /** True if the workflow has a node of that name, disabled or not. */
  hasNode(name: string): boolean;

  /** True if the node has run in this execution, or its items are pinned. Only asked of nodes that exist. */
  isExecuted(name: string): boolean;

  /**
   * The items of a node. An empty list if the chosen output exists and stayed empty.
   * @throws ExpressionError `no_execution_data` if the node has not run, `no_node_data` if the chosen run or output
   * does not exist.
   */
  nodeOutput(name: string, choice?: OutputChoice): readonly ScopeItem[];

  /**
   * The item of node `name` that led to the input item `itemIndex` of the current node, by the chain of item links.
   * @throws ExpressionError `no_execution_data` if the node has not run, `paired_item` if the chain is broken or leads
   * to several items.
   */
  pairedItem(name: string, itemIndex: number): ScopeItem | undefined;

  /**
   * The node's parameters as they are stored, expressions unresolved, with the defaults of those that are not set:
   * `$('X').params`, `$parameter`.
   */
  nodeParameters(name: string): JsonObject;

  /**
   * State of the node while the execution runs, for example a loop's `currentRunIndex`; `{}` if nothing:
   * `$('X').context`.
   */
  nodeContext(name: string): JsonObject;

  /** True if the node is set to run for its first item only. */
  executesOnce(name: string): boolean;

  /** The same scope seen from another input item, and from another run of the current node: `$item(2, 0)`. */
  atItem(itemIndex: number, runIndex?: number): ExpressionScope;
}
