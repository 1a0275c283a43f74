import type { Conditions, KindDescriptor, ParameterDescriptor } from '../descriptor';
import { choice, flag, text } from './build-parameters';
import { withHelp } from './with-help';

const OWN_PATTERNS = 'Own patterns are not supported here: replace in the text with an expression.';
const unsupported = (name: string, label: string): ParameterDescriptor => ({
  ...flag(name, label),
  refused: `The option "${label}" is not supported.`,
});

/** What cannot be turned off. */
const always = (name: string, label: string): ParameterDescriptor => ({
  ...flag(name, label, true),
  refused: `The option "${label}" cannot be turned off.`,
});

const FROM_HTML: Conditions = { mode: ['htmlToMarkdown'] };
const TO_HTML: Conditions = { mode: ['markdownToHtml'] };

const FROM_HTML_OPTIONS: readonly ParameterDescriptor[] = [
  text('bulletMarker', 'Bullet', '*'),
  text('codeFence', 'Code fence', '```'),
  {
    name: 'codeBlockStyle',
    label: 'Code blocks',
    type: 'options',
    default: 'fence',
    options: [choice('fence', 'Fenced'), choice('fenced', 'Fenced'), choice('indented', 'Indented')],
  },
  text('emDelimiter', 'Emphasis', '_'),
  text('strongDelimiter', 'Strong emphasis', '**'),
  { ...text('ignore', 'Tags to leave out'), help: 'Separated by commas.' },
  { ...text('blockElements', 'Tags that are blocks'), help: 'Separated by commas.' },
  flag('keepDataImages', 'Keep embedded images'),
  { name: 'maxConsecutiveNewlines', label: 'Line breaks in a row', type: 'number', default: 3 },
  flag('useLinkReferenceDefinitions', 'Links at the end'),
  { name: 'globalEscape', label: 'Escape everywhere', type: 'fixedCollection', refused: OWN_PATTERNS },
  { name: 'lineStartEscape', label: 'Escape at line starts', type: 'fixedCollection', refused: OWN_PATTERNS },
  { name: 'textReplace', label: 'Replace in the text', type: 'fixedCollection', refused: OWN_PATTERNS },
];

const TO_HTML_OPTIONS: readonly ParameterDescriptor[] = [
  flag('tables', 'Tables'),
  flag('strikethrough', 'Strikethrough'),
  flag('simpleLineBreaks', 'Line breaks as they are'),
  flag('simplifiedAutoLink', 'Addresses become links'),
  flag('openLinksInNewWindow', 'Links open a new window'),
  flag('noHeaderId', 'Headings without ids'),
  text('prefixHeaderId', 'Prefix of ids'),
  flag('ghCompatibleHeaderId', 'Dashes in ids'),
  { name: 'headerLevelStart', label: 'First heading level', type: 'number', default: 1 },
  flag('completeHTMLDocument', 'A whole document'),
  always('ghCodeBlocks', 'Fenced code'),
  always('literalMidWordUnderscores', 'Underscores within words are text'),
  always('requireSpaceBeforeHeadingText', 'Headings need a space'),
  {
    ...flag('encodeEmails', 'Encode mail addresses'),
    help: 'Has no effect: addresses are written as they are, which means the same.',
  },
  { ...flag('smoothLivePreview', 'For live preview'), help: 'Has no effect: it is for editors.' },
  unsupported('backslashEscapesHTMLTags', 'Backslashes escape tags'),
  unsupported('customizedHeaderId', 'Own ids'),
  unsupported('emoji', 'Emoji names'),
  unsupported('ghMentions', 'Mentions'),
  unsupported('parseImgDimensions', 'Image sizes'),
  unsupported('rawHeaderId', 'Raw ids'),
  unsupported('rawPrefixHeaderId', 'Raw prefix of ids'),
  unsupported('tablesHeaderId', 'Ids in tables'),
  unsupported('tasklists', 'Task lists'),
  unsupported('splitAdjacentBlockquotes', 'Split quotes'),
];

const HELP = {
  mode: 'Which way.',
  html: 'The HTML to turn into Markdown.',
  markdown: 'The Markdown to turn into HTML.',
  destinationKey: 'The field of the item that gets the result; dots mean nesting.',
  options: 'How the text is written.',
} as const;

/** Turns HTML into Markdown, or Markdown into HTML. */
export const markdown: KindDescriptor = {
  kind: 'markdown',
  label: 'Markdown',
  description: 'Turns HTML into Markdown, or Markdown into HTML.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'htmlToMarkdown',
      options: [choice('markdownToHtml', 'Markdown to HTML'), choice('htmlToMarkdown', 'HTML to Markdown')],
    },
    { ...text('html', 'HTML'), required: true, shownWhen: FROM_HTML },
    { ...text('markdown', 'Markdown'), required: true, shownWhen: TO_HTML },
    text('destinationKey', 'Field for the result', 'data'),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: FROM_HTML,
      fields: FROM_HTML_OPTIONS,
    },
    { name: 'options', label: 'Options', type: 'collection', default: {}, shownWhen: TO_HTML, fields: TO_HTML_OPTIONS },
  ]),
};
