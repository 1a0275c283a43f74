import type { Json, JsonObject } from '@weft/node-catalogue';

// The data exchanged between a node and the sandbox that runs its code, as JSON. The shapes are type aliases, so that
// they count as JSON.

/**
 * An item as code sees it. If the code reads files, those of the current items have their bytes in `data`, in base64.
 */
export type CodeItem = { json: JsonObject; binary?: JsonObject; pairedItem?: Json };

/** The reason something cannot be read. Thrown where the code asks for it, and not before. */
export type LookupError = { message: string; description?: string };

/** Items, or why there are none. */
export type CodeItems = { items: CodeItem[] } | { error: LookupError };

/** Data of another node: only what the code can access, judging by its text. */
export type CodeNode = {
  isExecuted: boolean;
  /** The items of the output that leads here, of the run that led here. */
  output?: CodeItems;
  /** Other outputs and runs, by `output/run`; either number is empty if the code does not state it. */
  choices?: Record<string, CodeItems>;
  /** By number of the current node's item: the item of this node that led to it, or its number in `output`. */
  paired?: (number | { item: CodeItem | null } | { error: LookupError })[];
  params?: JsonObject;
  context?: JsonObject;
};

/** The dialect of the code: of a Code node, or of one of the older Function nodes with names of their own. */
export type CodeStyle = 'code' | 'function' | 'functionItem';

/** Everything that a run of code gets. */
export type CodeInput = {
  style: CodeStyle;
  /** True to call the code once for each of the first `itemCount` items, false to call it once. */
  perItem: boolean;
  itemCount: number;
  /** True to go on with the next item when one fails. */
  goesOn: boolean;
  items: CodeItem[];
  /** Result of `$items()`: all items, or the first only. */
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
  /** By name: the nodes that the code can ask for. Null for a name that no node has. */
  nodes: Record<string, CodeNode | null>;
  /** Static data of the workflow and of this node. */
  staticData: { global: JsonObject; node: JsonObject };
  /** Custom data of the execution. */
  customData: Record<string, string>;
};

/** An error that the code threw, or that its text is. */
export type CodeError = {
  name: string;
  message: string;
  description?: string;
  /** Line of the code, from 1. */
  line?: number;
};

/** A value that the code returned: its type by `typeof`, and the value as far as JSON can hold it. */
export type CodeValue = {
  type: string;
  value?: unknown;
  /** The files that the code set for its item, by property; absent if it set none. */
  binary?: unknown;
};

/** Result of a run. Created within the sandbox, so every field must be checked. */
export type CodeReport = {
  value?: CodeValue;
  /** For code that is called once for each item: one entry an item. */
  values?: (CodeValue | { error: CodeError })[];
  error?: CodeError;
  /** The item it was called for when it failed. */
  itemIndex?: number;
  /** Set if the code asked for it, which is the only way to change it. */
  staticData?: { global: JsonObject; node: JsonObject };
  customData?: Record<string, string>;
};

/** The data of a run that has one empty item and nothing else. */
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
