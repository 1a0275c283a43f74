import { NodeHtmlMarkdown } from 'node-html-markdown';
import type { NodeHtmlMarkdownOptions } from 'node-html-markdown';
import { depthOfHtml } from '../html/depth-of-html';
import { FormatError } from '../shared/file-formats/format-error';

/** A string and the replacement of its first occurrence. */
export type TextPair = readonly [pattern: string, replacement: string];

type WithPatterns = 'globalEscape' | 'lineStartEscape' | 'textReplace';

/** Options of the library, with strings as patterns. */
export type MarkdownOptions = Omit<Partial<NodeHtmlMarkdownOptions>, WithPatterns> & {
  readonly globalEscape?: TextPair;
  readonly lineStartEscape?: TextPair;
  readonly textReplace?: readonly TextPair[];
};

/** Maximum number of characters of the HTML: the cost of parsing grows faster than its length. */
const MAX_HTML_LENGTH = 250_000;
/** Maximum depth of open tags. */
const MAX_LEVELS = 500;

/** HTML and the options of its conversion. */
export interface HtmlTask {
  readonly html: string;
  readonly options: MarkdownOptions;
}

/** Converts HTML to Markdown. @throws FormatError for HTML that is too long or nested too deeply */
export function markdownOfHtml({ html: given, options }: HtmlTask): string {
  const html = withoutComments(given);
  if (html.length > MAX_HTML_LENGTH)
    throw new FormatError(`The HTML is longer than ${MAX_HTML_LENGTH} characters without its comments.`);
  if (depthOfHtml(html) > MAX_LEVELS) throw new FormatError(`The HTML is nested deeper than ${MAX_LEVELS} levels.`);
  const { globalEscape, lineStartEscape, textReplace, ...rest } = options;
  return NodeHtmlMarkdown.translate(html, {
    ...rest,
    ...(globalEscape === undefined ? {} : { globalEscape: literally(globalEscape) }),
    ...(lineStartEscape === undefined ? {} : { lineStartEscape: literally(lineStartEscape) }),
    ...(textReplace === undefined ? {} : { textReplace: textReplace.map(literally) }),
  });
}

/** The pair for the library: a literal pattern that is found once. */
function literally([pattern, replacement]: TextPair): [RegExp, string] {
  // Linear: a literal.
  return [new RegExp(pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')), replacement];
}

/** Comments are never shown, and an unterminated one would slow the parser down. */
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
