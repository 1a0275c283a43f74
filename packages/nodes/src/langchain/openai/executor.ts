import { type NodeContext, type NodeExecutor, NodeFailure, type NodeResult } from '@weft/engine';
import { textParameter } from '../../shared/read-parameter';
import { message } from './message';
import { response } from './response';
import { runTextOperation } from './text-operation';

/** Operations by resource and name. */
const OPERATIONS: Readonly<Record<string, (context: NodeContext) => Promise<NodeResult>>> = {
  'text message': (context) => runTextOperation(context, message),
  'text response': (context) => runTextOperation(context, response),
};

/** Calls OpenAI, or a server with the same API. */
export const openAi: NodeExecutor = {
  kind: 'langchain.openAi',
  actsOutside: true,
  run: (context) => {
    const name = `${textParameter(context, 'resource', 0)} ${textParameter(context, 'operation', 0)}`;
    const run = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (run === undefined) throw new NodeFailure(`The operation "${name}" is not supported`);
    return run(context);
  },
};
