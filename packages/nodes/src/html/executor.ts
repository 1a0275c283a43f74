import { isJsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { toText } from '@weft/expressions';
import { eachItem } from '../shared/each-item';
import { eachTextItem } from '../shared/file-formats/each-text-item';
import { choiceParameter } from '../shared/read-parameter';
import { readExtraction } from './read-extraction';
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
    if (operation === 'extractHtmlContent') return output(await extracted(context));
    return output(
      await eachItem(context, (_item, index) => [{ json: { html: toText(context.templateParameter('html', index)) } }]),
    );
  },
};

/** The older kind, which only extracts values from HTML. */
export const htmlExtract: NodeExecutor = {
  kind: 'htmlExtract',
  actsOutside: false,
  run: async (context) => output(await extracted(context)),
};

/** An item for each page, with the extracted values. */
function extracted(context: NodeContext): Promise<Item[]> {
  return eachTextItem(
    context,
    (item, index) => readExtraction(context, item, index),
    (_item, values) => (Array.isArray(values) ? values.filter(isJsonObject).map((json) => ({ json })) : []),
  );
}
