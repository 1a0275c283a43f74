import type { NodeExecutor } from '../engine/node';
import { output } from '../engine/node';
import { eachItem } from './each-item';
import { objectsParameter } from './read-parameter';

/** Passes every item on. What it is told to put down for the execution is resolved, so that a faulty expression shows, and not kept. */
export const executionData: NodeExecutor = {
  kind: 'executionData',
  actsOutside: false,
  run: (context) => output(eachItem(context, (item, index) => {
    objectsParameter(context, 'dataToSave.values', index);
    return [item];
  })),
};
