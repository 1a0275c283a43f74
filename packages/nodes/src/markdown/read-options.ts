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

/** Options of the generated HTML, as the node states them. */
function htmlOptions(context: ParameterSource, index: number): ShowdownOptions {
  const stated = context.parameter('options', index);
  const options: ShowdownOptions = {};
  if (!isObject(stated)) return options;
  for (const name of FLAGS)
    if (Object.hasOwn(stated, name)) options[name] = booleanParameter(context, `options.${name}`, index);
  for (const name of ['prefixHeaderId', 'ghMentionsLink'] as const)
    if (Object.hasOwn(stated, name)) options[name] = textParameter(context, `options.${name}`, index);
  if (Object.hasOwn(stated, 'headerLevelStart'))
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

/** A pattern of the node and what takes its place, if the node states one. */
function replacement(
  name: 'globalEscape' | 'lineStartEscape',
  context: ParameterSource,
  index: number,
): Pick<MarkdownOptions, typeof name> {
  const stated = context.parameter(`options.${name}.value`, index);
  return isObject(stated) && Object.keys(stated).length > 0 ? { [name]: pairOf(stated) } : {};
}

function pairOf(stated: Readonly<Record<string, unknown>>): TextPair {
  return [String(stated['pattern'] ?? ''), String(stated['replacement'] ?? '')];
}
