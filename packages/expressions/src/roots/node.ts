import { ExpressionError } from '../errors';
import { toInteger, toText } from '../runtime/convert';
import { NativeFunction } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { VirtualObject } from '../runtime/values/virtual-object';
import type { ExpressionScope, OutputChoice, ScopeItem } from '../scope';
import { pairedItemOf } from './paired-item';

/** Value of `$('Name')`: the results of another node. @throws ExpressionError `node_not_found` */
export function nodeOf(run: Run, name: unknown, scope: ExpressionScope = run.scope): VirtualObject {
  const text = toText(run, name);
  assertNode(scope, text);
  return new NodeValue(scope, text);
}

/** @throws ExpressionError `node_not_found` if the workflow has no node of that name */
export function assertNode(scope: ExpressionScope, name: string): void {
  if (scope.hasNode(name)) return;
  throw new ExpressionError("Referenced node doesn't exist", {
    type: 'node_not_found',
    description: `The node '${name}' doesn't exist, but it is used in an expression here.`,
    node: name,
  });
}

/** Output and run that the arguments of `first`, `last` and `all` name. */
function choice(run: Run, [output, runIndex]: Arguments): OutputChoice {
  return {
    output: output === undefined || output === null ? undefined : toInteger(run, output),
    run: runIndex === undefined || runIndex === null ? undefined : toInteger(run, runIndex),
  };
}

class NodeValue extends VirtualObject {
  constructor(
    private readonly scope: ExpressionScope,
    private readonly name: string,
  ) {
    super();
  }

  override get(run: Run, key: string): unknown {
    const { scope, name } = this;
    switch (key) {
      case 'item':
        return run.take(pairedItemOf(scope, name, scope.itemIndex));
      case 'isExecuted':
        return scope.isExecuted(name);
      case 'params':
        return run.take(scope.nodeParameters(name));
      case 'context':
        return run.take(scope.nodeContext(name));
      case 'name':
        return name;
      default:
        return this.method(key);
    }
  }

  override keys(): readonly string[] {
    return ['all', 'context', 'first', 'isExecuted', 'item', 'itemMatching', 'last', 'name', 'pairedItem', 'params'];
  }

  private method(key: string): NativeFunction | undefined {
    switch (key) {
      case 'first':
        return this.items(key, (items) => items[0]);
      case 'last':
        return this.items(key, (items) => items.at(-1));
      case 'all':
        return this.items(key, (items) => items);
      case 'itemMatching':
      case 'pairedItem':
        return new NativeFunction(key, 1, (run, _self, [index]) =>
          run.take(pairedItemOf(this.scope, this.name, toInteger(run, index, this.scope.itemIndex))),
        );
      default:
        return undefined;
    }
  }

  private items(key: string, pick: (items: readonly ScopeItem[]) => unknown): NativeFunction {
    return new NativeFunction(key, 0, (run, _self, args) =>
      run.take(pick(this.scope.nodeOutput(this.name, choice(run, args)))),
    );
  }
}
