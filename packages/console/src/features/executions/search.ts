import type { Execution } from '@weft/client';
import { MODES } from './execution-facts';

const STATUSES = ['success', 'error', 'running', 'waiting'] as const satisfies readonly Execution['status'][];

/** Periods that end now, by their word in the address, in milliseconds. */
export const PERIODS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 } as const;
export type Period = keyof typeof PERIODS;

/** Filters of the list of executions in its address. */
export interface ExecutionSearch {
  readonly status?: Execution['status'] | undefined;
  readonly workflow?: string | undefined;
  readonly mode?: Execution['mode'] | undefined;
  readonly period?: Period | undefined;
  readonly reason?: string | undefined;
  /** `name:value` */
  readonly data?: string | undefined;
  readonly project?: string | undefined;
  /** Id of the execution that called them. */
  readonly parent?: string | undefined;
}

const textOf = (value: unknown, pattern: RegExp): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.length <= 300 && pattern.test(text) ? text : undefined;
};

const wordOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value);

/** Reads the filters; unknown ones are left out. */
export const readExecutionSearch = (search: Record<string, unknown>): ExecutionSearch => ({
  status: wordOf(search['status'], STATUSES),
  workflow: textOf(search['workflow'], /^[\w-]+$/),
  mode: wordOf(search['mode'], MODES),
  period: wordOf(search['period'], ['1h', '24h', '7d', '30d'] as const),
  reason: textOf(search['reason'], /^[A-Z_,]+$/),
  data: textOf(search['data'], /^[^:]+:/),
  project: textOf(search['project'], /^[\w-]+$/),
  parent: textOf(search['parent'], /^[\w-]+$/),
});

/** Position of the inspector of an execution. */
export interface InspectorSearch {
  readonly node?: string | undefined;
  readonly run?: number | undefined;
  readonly tab?: 'input' | 'parameters' | 'log' | undefined;
  readonly output?: number | undefined;
  readonly page?: number | undefined;
  readonly item?: number | undefined;
  readonly view?: 'table' | 'json' | 'schema' | undefined;
  readonly list?: 'events' | undefined;
}

/** The position at a run of a node; undefined: the one that is shown first. */
export const atNodeRun = (node: string, run: number | undefined): InspectorSearch => ({
  node,
  run,
  tab: undefined,
  output: undefined,
  page: undefined,
  item: undefined,
});

const indexOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Reads the position of the inspector; unknown parts are left out. */
export const readInspectorSearch = (search: Record<string, unknown>): InspectorSearch => ({
  node: textOf(search['node'], /./s),
  run: indexOf(search['run']),
  tab: wordOf(search['tab'], ['input', 'parameters', 'log'] as const),
  output: indexOf(search['output']),
  page: indexOf(search['page']),
  item: indexOf(search['item']),
  view: wordOf(search['view'], ['table', 'json', 'schema'] as const),
  list: wordOf(search['list'], ['events'] as const),
});
