import { type NodeExecutor, NodeFailure } from '@weft/engine';

/** Items never reach a sub-node. */
export const subNodeOnly: NodeExecutor['run'] = (context) => {
  throw new NodeFailure(`"${context.node.name}" is a sub-node: connect it to the node that uses it`);
};
