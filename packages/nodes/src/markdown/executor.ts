import { type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { eachItem } from '../shared/each-item';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { setPath } from '../shared/values/json-path';
import { htmlOfMarkdown } from './html-of-markdown';
import { markdownOfHtml } from './markdown-of-html';

/** Limit in characters of one text. Converting blocks the process. */
const MAX_TEXT_LENGTH = 1_000_000;

/** Converts HTML to Markdown, or Markdown to HTML. */
export const markdown: NodeExecutor = {
  kind: 'markdown',
  actsOutside: false,
  run: (context) =>
    output(
      eachItem(context, (item, index) => {
        const toMarkdown =
          choiceParameter(context, 'mode', index, ['htmlToMarkdown', 'markdownToHtml']) === 'htmlToMarkdown';
        const text = textParameter(context, toMarkdown ? 'html' : 'markdown', index);
        if (text.length > MAX_TEXT_LENGTH)
          throw new NodeFailure(`The text is longer than ${MAX_TEXT_LENGTH} characters.`, { itemIndex: index });
        const json = { ...item.json };
        const result = toMarkdown ? markdownOfHtml(text, context, index) : htmlOfMarkdown(text, context, index);
        setPath(json, textParameter(context, 'destinationKey', index, 'data') || 'data', result);
        return [{ json, ...(item.binary === undefined ? {} : { binary: item.binary }) }];
      }),
    ),
};
