import { NodeHtmlMarkdown } from 'node-html-markdown';
import type { NodeHtmlMarkdownOptions } from 'node-html-markdown';
import { NodeFailure } from '@weft/engine';
import { depthOfHtml } from '../html/depth-of-html';
import {
  type ParameterSource,
  booleanParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../shared/read-parameter';

/** Limit in characters of the HTML: the cost of reading it grows faster than its length. */
const MAX_HTML_LENGTH = 250_000;
/** Maximum depth of open tags. */
const MAX_LEVELS = 500;

/**
 * HTML as Markdown, with the options of the node.
 * @throws NodeFailure for HTML that is too long or nested too deeply.
 */
export function markdownOfHtml(stated: string, context: ParameterSource, index: number): string {
  const html = withoutComments(stated);
  if (html.length > MAX_HTML_LENGTH)
    throw new NodeFailure(`The HTML is longer than ${MAX_HTML_LENGTH} characters without its comments.`, {
      itemIndex: index,
    });
  if (depthOfHtml(html) > MAX_LEVELS)
    throw new NodeFailure(`The HTML is nested deeper than ${MAX_LEVELS} levels.`, { itemIndex: index });
  return NodeHtmlMarkdown.translate(html, optionsOf(context, index));
}

/** Comments are never shown, and an unterminated one would take the parser long. */
function withoutComments(html: string): string {
  let kept = '';
  let from = 0;
  for (let start = html.indexOf('<!--'); start !== -1; start = html.indexOf('<!--', from)) {
    kept += html.slice(from, start);
    const end = html.indexOf('-->', start + 4);
    if (end === -1) return kept;
    from = end + 3;
  }
  return kept + html.slice(from);
}

function optionsOf(context: ParameterSource, index: number): Partial<NodeHtmlMarkdownOptions> {
  const text = (name: string, initial: string): string =>
    textParameter(context, `options.${name}`, index, initial) || initial;
  const ignore = namesParameter(context, 'options.ignore', index);
  const blockElements = namesParameter(context, 'options.blockElements', index);
  return {
    bulletMarker: text('bulletMarker', '*'),
    codeFence: text('codeFence', '```'),
    codeBlockStyle: text('codeBlockStyle', 'fenced') === 'indented' ? 'indented' : 'fenced',
    emDelimiter: text('emDelimiter', '_'),
    strongDelimiter: text('strongDelimiter', '**'),
    maxConsecutiveNewlines: Math.min(
      20,
      Math.max(1, numberParameter(context, 'options.maxConsecutiveNewlines', index)),
    ),
    keepDataImages: booleanParameter(context, 'options.keepDataImages', index),
    useLinkReferenceDefinitions: booleanParameter(context, 'options.useLinkReferenceDefinitions', index),
    ...(ignore.length === 0 ? {} : { ignore }),
    ...(blockElements.length === 0 ? {} : { blockElements }),
  };
}
