import type { TextJob } from '../shared/file-formats/tasks';
import {
  type ParameterSource,
  booleanParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../shared/read-parameter';
import type { HtmlOptions } from './html-of-markdown';
import type { MarkdownOptions } from './markdown-of-html';

/** HTML that is to become Markdown, with the options of the node. */
export const htmlToMarkdown = (html: string, context: ParameterSource, index: number): TextJob => ({
  kind: 'htmlToMarkdown',
  input: { html, options: markdownOptions(context, index) },
});

/** Markdown that is to become HTML, with the options of the node. */
export const markdownToHtml = (markdown: string, context: ParameterSource, index: number): TextJob => ({
  kind: 'markdownToHtml',
  input: { markdown, options: htmlOptions(context, index) },
});

function htmlOptions(context: ParameterSource, index: number): HtmlOptions {
  const is = (name: string): boolean => booleanParameter(context, `options.${name}`, index);
  return {
    tables: is('tables'),
    strikethrough: is('strikethrough'),
    breaks: is('simpleLineBreaks'),
    linkify: is('simplifiedAutoLink'),
    newWindow: is('openLinksInNewWindow'),
    headingIds: !is('noHeaderId'),
    dashesInIds: is('ghCompatibleHeaderId'),
    idPrefix: textParameter(context, 'options.prefixHeaderId', index),
    firstLevel: Math.min(6, Math.max(1, numberParameter(context, 'options.headerLevelStart', index))),
    isWholeDocument: is('completeHTMLDocument'),
  };
}

function markdownOptions(context: ParameterSource, index: number): MarkdownOptions {
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
