import type { TextJob } from '../shared/file-formats/tasks';
import { isObject } from '@weft/service-kit/json';
import {
  type ParameterSource,
  booleanParameter,
  namesParameter,
  numberParameter,
  objectsParameter,
  textParameter,
} from '../shared/read-parameter';
import type { ShowdownOptions } from 'showdown';
import { MARKDOWN_FLAGS as FLAGS } from './descriptor';
import type { MarkdownOptions, TextPair } from './markdown-of-html';

/** The HTML to convert, with the options of the node. */
export const htmlToMarkdown = (html: string, context: ParameterSource, index: number): TextJob => ({
  kind: 'htmlToMarkdown',
  input: { html, options: markdownOptions(context, index) },
});

/** The Markdown to convert, with the options of the node. */
export const markdownToHtml = (markdown: string, context: ParameterSource, index: number): TextJob => ({
  kind: 'markdownToHtml',
  input: { markdown, options: htmlOptions(context, index) },
});

/** The node's options for the generated HTML. */
function htmlOptions(context: ParameterSource, index: number): ShowdownOptions {
  const given = context.parameter('options', index);
  const options: ShowdownOptions = {};
  if (!isObject(given)) return options;
  for (const name of FLAGS)
    if (Object.hasOwn(given, name)) options[name] = booleanParameter(context, `options.${name}`, index);
  for (const name of ['prefixHeaderId', 'ghMentionsLink'] as const)
    if (Object.hasOwn(given, name)) options[name] = textParameter(context, `options.${name}`, index);
  if (Object.hasOwn(given, 'headerLevelStart'))
    options.headerLevelStart = Math.min(6, Math.max(1, numberParameter(context, 'options.headerLevelStart', index)));
  return options;
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
    ...replacement('globalEscape', context, index),
    ...replacement('lineStartEscape', context, index),
    textReplace: objectsParameter(context, 'options.textReplace.values', index).map(pairOf),
    ...(ignore.length === 0 ? {} : { ignore }),
    ...(blockElements.length === 0 ? {} : { blockElements }),
  };
}

/** A pattern of the node and its replacement, if the node sets one. */
function replacement(
  name: 'globalEscape' | 'lineStartEscape',
  context: ParameterSource,
  index: number,
): Pick<MarkdownOptions, typeof name> {
  const given = context.parameter(`options.${name}.value`, index);
  return isObject(given) && Object.keys(given).length > 0 ? { [name]: pairOf(given) } : {};
}

function pairOf(given: Readonly<Record<string, unknown>>): TextPair {
  return [String(given['pattern'] ?? ''), String(given['replacement'] ?? '')];
}
