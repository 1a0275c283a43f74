import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type NodeContext, type NodeExecutor, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { parseLooseJson } from '../shared/values/loose-json';

/** Fields of an error object that may contain its message; the first one with a value counts. */
const MESSAGE_FIELDS = ['message', 'description', 'error'];

const NO_MESSAGE = 'The node stopped the run without a message';

/** Fails with a custom error. */
export const stopAndError: NodeExecutor = {
  kind: 'stopAndError',
  actsOutside: false,
  run: (context) => {
    const type = choiceParameter(context, 'errorType', 0, ['errorMessage', 'errorObject']);
    if (type === 'errorMessage') {
      const message = textParameter(context, 'errorMessage', 0);
      throw new NodeFailure(message.trim() === '' ? NO_MESSAGE : message);
    }
    const error = readErrorObject(context);
    const field = MESSAGE_FIELDS.find((name) => typeof error[name] === 'string');
    const message = field === undefined ? `Error: ${JSON.stringify(error)}` : String(error[field]);
    throw new NodeFailure(message, { context: { errorObject: error } });
  },
};

function readErrorObject(context: NodeContext): JsonObject {
  const value = context.parameter('errorObject', 0);
  const object = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (isJsonObject(object)) return object;
  throw new NodeFailure('The error object is not a valid JSON object');
}
