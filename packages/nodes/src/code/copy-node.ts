import { ExpressionError, type ExpressionScope, type OutputChoice, type ScopeItem } from '@weft/expressions';
import type { LookupError, CodeItem, CodeItems, CodeNode } from '@weft/sandbox';
import type { AskedOutput, CodeSource } from './read-source';

/** Maximum number of outputs and runs that are copied when code may ask for any. */
const MAX_OUTPUTS = 10;
const MAX_RUNS = 50;

/** Data of another node, besides its items, that code may read. */
export interface Wanted {
  readonly outputs: CodeSource['outputs'];
  /** Number of current items whose linked items it may request. */
  readonly pairedItems: number;
  readonly params: boolean;
  readonly context: boolean;
}

/**
 * Copies the data that code may request of another node. For unavailable data it copies the error that a request then
 * throws.
 */
export function copyNode(scope: ExpressionScope, name: string, wanted: Wanted): CodeNode | null {
  if (!scope.hasNode(name)) return null;
  const isExecuted = scope.isExecuted(name);
  const output = itemsOrError(() => scope.nodeOutput(name));
  const node: CodeNode = { isExecuted, output: 'error' in output ? output : { items: output.items.map(codeItem) } };
  if (wanted.params) node.params = scope.nodeParameters(name);
  if (wanted.context) node.context = scope.nodeContext(name);
  if (isExecuted && wanted.outputs.length > 0) node.choices = choicesOf(scope, name, wanted.outputs);
  if (wanted.pairedItems > 0)
    node.paired = pairedItems(scope, name, 'items' in output ? output.items : [], wanted.pairedItems);
  return node;
}

/** An item in the form that code receives. */
export function codeItem({ json, binary, pairedItem }: ScopeItem): CodeItem {
  return {
    json,
    ...(binary === undefined ? {} : { binary: { ...binary } }),
    ...(pairedItem === undefined ? {} : { pairedItem }),
  };
}

function choicesOf(scope: ExpressionScope, name: string, outputs: CodeSource['outputs']): Record<string, CodeItems> {
  const asked = outputs === 'any' ? allOutputs(scope, name) : outputs;
  return Object.fromEntries(
    asked.map(({ output, run }) => [`${output ?? ''}/${run ?? ''}`, chosenItems(scope, name, { output, run })]),
  );
}

function chosenItems(scope: ExpressionScope, name: string, choice: OutputChoice): CodeItems {
  const chosen = itemsOrError(() => scope.nodeOutput(name, choice));
  return 'error' in chosen ? chosen : { items: chosen.items.map(codeItem) };
}

/** All that exist: each output alone, each run alone, and both together. */
function allOutputs(scope: ExpressionScope, name: string): AskedOutput[] {
  const exists = (choice: OutputChoice): boolean => !('error' in itemsOrError(() => scope.nodeOutput(name, choice)));
  const outputs = countWhile(MAX_OUTPUTS, (output) => exists({ output }));
  const runs = [...countWhile(MAX_RUNS, (run) => exists({ output: 0, run })), -1];
  return [undefined, ...outputs].flatMap((output) => [undefined, ...runs].map((run) => ({ output, run })));
}

function countWhile(most: number, exists: (index: number) => boolean): number[] {
  const found: number[] = [];
  while (found.length < most && exists(found.length)) found.push(found.length);
  return found;
}

function pairedItems(
  scope: ExpressionScope,
  name: string,
  items: readonly ScopeItem[],
  count: number,
): NonNullable<CodeNode['paired']> {
  const numbers = new Map(items.map((item, index) => [item, index]));
  return Array.from({ length: count }, (_, index) => {
    const paired = errorOr(() => ({ item: scope.pairedItem(name, index) }));
    if ('error' in paired) return paired;
    const known = paired.item === undefined ? undefined : numbers.get(paired.item);
    return known ?? { item: paired.item === undefined ? null : codeItem(paired.item) };
  });
}

function itemsOrError(read: () => readonly ScopeItem[]): { items: readonly ScopeItem[] } | { error: LookupError } {
  return errorOr(() => ({ items: read() }));
}

function errorOr<T extends object>(read: () => T): T | { error: LookupError } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return {
      error: { message: error.message, ...(error.description === undefined ? {} : { description: error.description }) },
    };
  }
}
