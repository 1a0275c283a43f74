import type { JsonObject } from '@weft/node-catalogue';
import { type NodeExecutor, output } from '@weft/engine';

/** Sample output of a manual run, which has no failed execution. */
const EXAMPLE: JsonObject = {
  execution: {
    id: 'example',
    error: { name: 'Error', message: 'An example of an error' },
    lastNodeExecuted: 'Node that failed',
    mode: 'manual',
  },
  workflow: { id: 'example', name: 'Example workflow' },
};

/** Outputs the details of the failed execution; an example if there is none. */
export const errorTrigger: NodeExecutor = {
  kind: 'errorTrigger',
  actsOutside: false,
  run: (context) => {
    const isTrial = context.mode === 'manual' && context.items.every((item) => Object.keys(item.json).length === 0);
    return output(isTrial ? [{ json: EXAMPLE }] : context.items);
  },
};
