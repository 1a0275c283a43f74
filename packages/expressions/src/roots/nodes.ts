import { ExpressionError } from '../errors';
import type { Run } from '../runtime/run';
import { VirtualObject } from '../runtime/values/virtual-object';
import type { ExpressionScope, ScopeItem } from '../scope';
import { assertNode } from './node';

/** `$node`: the other nodes by name. */
export class NodesValue extends VirtualObject {
  constructor(private readonly scope: ExpressionScope) {
    super();
  }

  override get(_run: Run, key: string): unknown {
    assertNode(this.scope, key);
    return new NodeDataValue(this.scope, key);
  }

  override keys(): readonly string[] {
    return [];
  }

  override has(_run: Run, key: string): boolean {
    return this.scope.hasNode(key);
  }
}

/** `$node["Name"]`: the item of that node at the current item's index. */
class NodeDataValue extends VirtualObject {
  constructor(
    private readonly scope: ExpressionScope,
    private readonly name: string,
  ) {
    super();
  }

  override get(run: Run, key: string): unknown {
    switch (key) {
      case 'json':
      case 'data':
        return run.take(itemOfNode(this.scope, this.name).json);
      case 'binary':
        return run.take(itemOfNode(this.scope, this.name).binary ?? {});
      case 'context':
        return run.take(this.scope.nodeContext(this.name));
      case 'parameter':
        return run.take(this.scope.nodeParameters(this.name));
      case 'runIndex':
        return this.scope.runIndex;
      default:
        return undefined;
    }
  }

  override keys(): readonly string[] {
    return ['binary', 'context', 'data', 'json', 'parameter', 'runIndex'];
  }
}

/**
 * The item of a node that has the index of the current one.
 * @throws ExpressionError `no_node_data` if the node gave no such item
 */
export function itemOfNode(scope: ExpressionScope, name: string): ScopeItem {
  const item = scope.nodeOutput(name)[scope.itemIndex];
  if (item !== undefined) return item;
  throw new ExpressionError("Can't get data for expression", {
    type: 'no_node_data',
    description:
      `The node '${name}' has no item with index ${scope.itemIndex}. Use $('${name}').item for the item that ` +
      'led to the current one.',
    node: name,
  });
}
