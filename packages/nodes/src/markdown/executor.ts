import { type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { eachTextItem } from '../shared/file-formats/each-text-item';
import { withoutOrigin } from '../shared/each-item';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { setPath } from '../shared/values/json-path';
import { htmlToMarkdown, markdownToHtml } from './read-options';

/** Maximum number of characters of one text. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Converts HTML to Markdown, or Markdown to HTML. */
export const markdown: NodeExecutor = {
  kind: 'markdown',
  actsOutside: false,
  run: async (context) => {
    const made = await eachTextItem(
      context,
      (_item, index) => {
        const toMarkdown =
          choiceParameter(context, 'mode', index, ['htmlToMarkdown', 'markdownToHtml']) === 'htmlToMarkdown';
        const text = textParameter(context, toMarkdown ? 'html' : 'markdown', index);
        if (text.length > MAX_TEXT_LENGTH)
          throw new NodeFailure(`The text is longer than ${MAX_TEXT_LENGTH} characters.`, { itemIndex: index });
        return toMarkdown ? htmlToMarkdown(text, context, index) : markdownToHtml(text, context, index);
      },
      (item, converted, index) => {
        const json = { ...item.json };
        setPath(json, textParameter(context, 'destinationKey', index, 'data') || 'data', converted);
        return [{ json, ...(item.binary === undefined ? {} : { binary: item.binary }) }];
      },
    );
    return output(made.map(withoutOrigin));
  },
};
