import type { Json, JsonObject } from '@weft/node-catalogue';

// The JSON data exchanged between a node and the sandbox that runs its code. The shapes are type aliases, so that they
// count as JSON.

/**
 * An item as seen by code. If the code reads files, the files of the current items have their bytes in `data`, in
 * base64.
 */
export type CodeItem = { json: JsonObject; binary?: JsonObject; pairedItem?: Json };

/** Why something cannot be read. Thrown only when the code accesses it. */
export type LookupError = { message: string; description?: string };

/** Items, or why there are none. */
export type CodeItems = { items: CodeItem[] } | { error: LookupError };

/** Data of another node: only what the code can access, judging by its text. */
export type CodeNode = {
  isExecuted: boolean;
  /** Items of the output that leads to this node, from the run that led here. */
  output?: CodeItems;
  /** Other outputs and runs, by `output/run`; either number is empty if the code does not give it. */
  choices?: Record<string, CodeItems>;
  /** By index of the current node's item: the item of this node that it is linked to, or its index in `output`. */
  paired?: (number | { item: CodeItem | null } | { error: LookupError })[];
  params?: JsonObject;
  context?: JsonObject;
};

/**
 * The dialect of the code: that of a Code node, or of one of the older Function nodes, which have different names; or
 * Python with the names of JavaScript, or with only its items.
 */
export type CodeStyle = 'code' | 'function' | 'functionItem' | 'python' | 'pythonNative';

export type CodeInput = {
  style: CodeStyle;
  /** True to call the code once for each of the first `itemCount` items, false to call it once. */
  perItem: boolean;
  itemCount: number;
  /** True to continue with the next item when one fails. */
  goesOn: boolean;
  items: CodeItem[];
  /** True if `$items()` returns only the first item. */
  givesFirstOnly: boolean;
  node: { id: string; name: string; version: number; parameters: JsonObject };
  runIndex: number;
  timezone: string;
  workflow: { id: string; name: string; active: boolean };
  /** How the execution was started: `manual`, `webhook`, `trigger` and so on. */
  mode: string;
  execution: { id: string; mode: string; resumeUrl?: string; resumeFormUrl?: string };
  prevNode?: { name: string; outputIndex: number; runIndex: number };
  /** `$input.params` and `$input.context`, if the code names them. */
  previous: { params?: JsonObject; context?: JsonObject };
  vars: JsonObject;
  env: JsonObject;
  /** The nodes that the code can access, by name. Null if no node has the name. */
  nodes: Record<string, CodeNode | null>;
  /** Static data of the workflow and of this node. */
  staticData: { global: JsonObject; node: JsonObject };
  /** Custom data of the execution. */
  customData: Record<string, string>;
  /** Further names that the code sees: `query` in JavaScript, `_query` in Python. */
  variables?: JsonObject;
};

/** An error that the code threw, or an error in its text. */
export type CodeError = {
  name: string;
  message: string;
  description?: string;
  /** Line of the code, from 1. */
  line?: number;
};

/** A value that the code returned: its `typeof`, and the value as far as JSON can represent it. */
export type CodeValue = {
  type: string;
  value?: unknown;
  /** The files that the code set for its item, by property; absent if it set none. */
  binary?: unknown;
};

/** Result of a run. Created within the sandbox, so every field must be validated. */
export type CodeReport = {
  value?: CodeValue;
  /** For code that is called once per item: one entry per item. */
  values?: (CodeValue | { error: CodeError })[];
  error?: CodeError;
  /** Index of the item for which it failed. */
  itemIndex?: number;
  /** Set if the code accessed it, which is the only way to change it. */
  staticData?: { global: JsonObject; node: JsonObject };
  customData?: Record<string, string>;
};

/** Input of a run with one empty item and nothing else. */
export const EMPTY_INPUT: CodeInput = {
  style: 'code',
  perItem: false,
  itemCount: 1,
  goesOn: false,
  items: [{ json: {} }],
  givesFirstOnly: false,
  node: { id: '', name: '', version: 2, parameters: {} },
  runIndex: 0,
  timezone: 'UTC',
  workflow: { id: '', name: '', active: false },
  mode: 'manual',
  execution: { id: '', mode: 'test' },
  previous: {},
  vars: {},
  env: {},
  nodes: {},
  staticData: { global: {}, node: {} },
  customData: {},
};
