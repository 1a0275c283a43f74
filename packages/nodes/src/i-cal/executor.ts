import { type NodeExecutor, output } from '@weft/engine';
import { textParameter } from '../shared/read-parameter';
import { writeEvent } from '../shared/files/calendar-event';
import { eachItem } from '../shared/each-item';

/** Creates an item with an event file for each item. Version 1. */
export const iCal: NodeExecutor = {
  kind: 'iCal',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(context, async (_item, index) => [
        {
          json: {},
          binary: { [textParameter(context, 'binaryPropertyName', index) || 'data']: await writeEvent(context, index) },
        },
      ]),
    ),
};
