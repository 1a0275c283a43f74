import { ExpressionError } from '../errors';
import { toInteger } from '../runtime/convert';
import { NativeFunction } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { VirtualObject } from '../runtime/values/virtual-object';
import type { ExpressionScope, ScopeItem } from '../scope';

/** `$input`: the items that the current node works on. */
export class InputValue extends VirtualObject {
  constructor(private readonly scope: ExpressionScope) {
    super();
  }

  override get(run: Run, key: string): unknown {
    const { inputItems, item, prevNode } = this.scope;
    switch (key) {
      case 'item':
        return run.take(item);
      case 'first':
        return this.single(key, inputItems[0]);
      case 'last':
        return this.single(key, inputItems.at(-1));
      case 'all':
        return this.method(key, () => inputItems);
      case 'itemMatching':
        return this.method(key, (index) => inputItems[index]);
      case 'params':
        return prevNode === undefined ? undefined : run.take(this.scope.nodeParameters(prevNode.name));
      case 'context':
        return prevNode === undefined ? {} : run.take(this.scope.nodeContext(prevNode.name));
      default:
        return undefined;
    }
  }

  override keys(): readonly string[] {
    return ['all', 'context', 'first', 'item', 'last', 'params'];
  }

  /** A method for one end of the list. An argument is a mistake: it would be for another node. */
  private single(key: 'first' | 'last', item: ScopeItem | undefined): NativeFunction {
    return new NativeFunction(key, 0, (run, _self, args) => {
      if (args.length > 0)
        throw new ExpressionError(`$input.${key}() takes no arguments`, {
          type: 'type',
          description: `To get items of a certain node, use $('Name of the node').${key}().`,
        });
      return run.take(item);
    });
  }

  private method(key: string, pick: (index: number) => ScopeItem | readonly ScopeItem[] | undefined): NativeFunction {
    return new NativeFunction(key, 0, (run, _self, [index]) => run.take(pick(toInteger(run, index))));
  }
}
