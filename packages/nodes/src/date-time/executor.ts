import { type NodeExecutor, output } from '@weft/engine';
import { eachItem, failedItem, failedWithoutOrigin } from '../shared/each-item';
import { runFirstVersion } from './first-version';
import { runSecondVersion } from './second-version';

/** Formats dates, calculates with them and extracts their parts. */
export const dateTime: NodeExecutor = {
  kind: 'dateTime',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(
        context,
        (item, index) =>
          context.version < 2 ? runFirstVersion(context, item, index) : [runSecondVersion(context, item, index)],
        context.version < 2 ? failedItem : failedWithoutOrigin,
      ),
    ),
};
