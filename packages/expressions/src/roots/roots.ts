import { ExpressionError } from '../errors';
import { evaluateText } from '../evaluate';
import { toInteger, toText } from '../runtime/convert';
import { NativeFunction } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { VirtualObject } from '../runtime/values/virtual-object';
import { CustomDataValue } from './custom-data';
import { InputValue } from './input';
import { queryJson } from './jmespath';
import { nodeOf } from './node';
import { NodesValue } from './nodes';
import { ParametersValue } from './parameters';

/** Reads a root. */
export type RootCode = (run: Run) => unknown;

const AI_KEY = /^[\w-]{1,64}$/;

/**
 * `$fromAI(key, description, type, default)`: no model answers here, so a field of that name of the item, or else the
 * default.
 */
function fromAi(run: Run, [key, , , fallback]: Arguments): unknown {
  const name = toText(run, key);
  if (!AI_KEY.test(name)) {
    throw new ExpressionError('The key of $fromAI must have 1 to 64 letters, digits, hyphens or underscores', {
      type: 'type',
    });
  }
  const json = run.scope.item?.json;
  const given = json !== undefined && Object.hasOwn(json, name) ? json[name] : undefined;
  return given === undefined || given === null ? fallback : run.take(given);
}

function items(run: Run, [name, output, runIndex]: Arguments): unknown {
  const { scope } = run;
  if (name !== undefined) {
    const choice = { output: toInteger(run, output), run: toInteger(run, runIndex, -1) };
    return run.take(scope.nodeOutput(toText(run, name), choice));
  }
  const { prevNode, inputItems } = scope;
  const isOnce = prevNode !== undefined && scope.executesOnce(prevNode.name);
  return run.take(isOnce ? inputItems.slice(0, 1) : inputItems);
}

/** Value of `$item(2, 0)`: the roots, as seen from another item and run. */
class RootsValue extends VirtualObject {
  constructor(private readonly scope: Run['scope']) {
    super();
  }

  override get(run: Run, key: string): unknown {
    if (key === '$') return new NativeFunction('$', 1, (inner, _self, [name]) => nodeOf(inner, name, this.scope));
    const root = rootOf(key);
    return root === undefined ? undefined : run.inScope(this.scope, () => root(run));
  }

  override keys(): readonly string[] {
    return [...ROOTS.keys()];
  }
}

/** A root that is a function. */
function callable(name: string, body: (run: Run, args: Arguments) => unknown): RootCode {
  const value = new NativeFunction(name, 1, (run, _self, args) => body(run, args));
  return () => value;
}

function evaluateExpression(run: Run, [text, itemIndex]: Arguments): unknown {
  const scope = itemIndex === undefined ? run.scope : run.scope.atItem(toInteger(run, itemIndex));
  return run.inScope(scope, () => evaluateText(run, `=${toText(run, text)}`));
}

const ITEM_ROOTS: readonly (readonly [string, RootCode])[] = [
  ['$json', (run) => run.take(run.scope.item?.json ?? {})],
  ['$data', (run) => run.take(run.scope.item?.json ?? {})],
  ['$binary', (run) => run.take(run.scope.item?.binary ?? {})],
  ['$itemIndex', (run) => run.scope.itemIndex],
  ['$runIndex', (run) => run.scope.runIndex],
  // Older names of the same.
  ['$position', (run) => run.scope.itemIndex],
  ['$thisItem', (run) => run.take(run.scope.item)],
  ['$thisItemIndex', (run) => run.scope.itemIndex],
  ['$thisRunIndex', (run) => run.scope.runIndex],
  ['$input', (run) => new InputValue(run.scope)],
  ['$node', (run) => new NodesValue(run.scope)],
  ['$items', callable('$items', items)],
  [
    '$item',
    callable('$item', (run, [index, runIndex]) => {
      const atRun = runIndex === undefined ? undefined : toInteger(run, runIndex);
      return new RootsValue(run.scope.atItem(toInteger(run, index), atRun));
    }),
  ],
];

function execution(run: Run): unknown {
  const { id, mode, resumeUrl, resumeFormUrl, customData = {} } = run.scope.execution;
  return run.made({
    id,
    mode,
    ...(resumeUrl === undefined ? {} : { resumeUrl }),
    ...(resumeFormUrl === undefined ? {} : { resumeFormUrl }),
    customData: new CustomDataValue(customData),
  });
}

const RUN_ROOTS: readonly (readonly [string, RootCode])[] = [
  ['$prevNode', (run) => run.made({ ...(run.scope.prevNode ?? {}) })],
  ['$parameter', (run) => new ParametersValue(run.scope.nodeParameters(run.scope.nodeName))],
  [
    '$workflow',
    (run) => run.made({ active: run.scope.workflow.active, id: run.scope.workflow.id, name: run.scope.workflow.name }),
  ],
  ['$execution', execution],
  ['$executionId', (run) => run.scope.execution.id],
  ['$resumeWebhookUrl', (run) => run.scope.execution.resumeUrl],
  ['$mode', (run) => run.scope.mode],
  ['$nodeId', (run) => run.scope.nodeId],
  ['$nodeVersion', (run) => run.scope.nodeVersion],
  ['$now', (run) => run.scope.now()],
  ['$today', (run) => run.scope.now().startOf('day')],
  ['$vars', (run) => run.take(run.scope.vars)],
  ['$env', (run) => run.take(run.scope.env)],
];

const FUNCTION_ROOTS: readonly (readonly [string, RootCode])[] = [
  ['$jmespath', callable('$jmespath', queryJson)],
  ['$jmesPath', callable('$jmesPath', queryJson)],
  ['$fromAI', callable('$fromAI', fromAi)],
  ['$fromAi', callable('$fromAi', fromAi)],
  ['$fromai', callable('$fromai', fromAi)],
  ['$evaluateExpression', callable('$evaluateExpression', evaluateExpression)],
];

const ROOTS: ReadonlyMap<string, RootCode> = new Map([...ITEM_ROOTS, ...RUN_ROOTS, ...FUNCTION_ROOTS]);

/** The root of that name, such as `$json`; undefined if no root has the name. */
export function rootOf(name: string): RootCode | undefined {
  return ROOTS.get(name);
}

/** Names of all roots, such as `$json`. */
export function rootNames(): string[] {
  return [...ROOTS.keys()];
}
