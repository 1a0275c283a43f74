import { type NodeExecutor, output } from '@weft/engine';
import { toText } from '@weft/expressions';
import { eachItem } from '../shared/each-item';
import { eachFileItem } from '../shared/files/item-files';
import { choiceParameter } from '../shared/read-parameter';
import { extractContent } from './extract-content';
import { tableOf } from './table';

/** Generates HTML from items and extracts values from HTML. */
export const html: NodeExecutor = {
  kind: 'html',
  actsOutside: false,
  run: async (context) => {
    const operation = choiceParameter(
      context,
      'operation',
      0,
      ['generateHtmlTemplate', 'extractHtmlContent', 'convertToHtmlTable'],
      'generateHtmlTemplate',
    );
    if (operation === 'convertToHtmlTable') return output(tableOf(context));
    if (operation === 'extractHtmlContent')
      return output(await eachFileItem(context, (item, index) => extractContent(context, item, index)));
    return output(
      eachItem(context, (_item, index) => [{ json: { html: toText(context.templateParameter('html', index)) } }]),
    );
  },
};

/** The older kind that only extracts values from HTML. */
export const htmlExtract: NodeExecutor = {
  kind: 'htmlExtract',
  actsOutside: false,
  run: async (context) => output(await eachFileItem(context, (item, index) => extractContent(context, item, index))),
};
