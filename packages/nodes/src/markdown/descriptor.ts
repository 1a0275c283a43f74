import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const OWN_PATTERNS = 'Custom patterns are not supported: replace text with an expression.';
const unsupported = (name: string, label: string): ParameterDescriptor => ({
  ...flag(name, label),
  refused: `The option "${label}" is not supported.`,
});

/** Features that cannot be turned off. */
const always = (name: string, label: string): ParameterDescriptor => ({
  ...flag(name, label, true),
  refused: `The option "${label}" cannot be turned off.`,
});

const FROM_HTML: Conditions = { mode: ['htmlToMarkdown'] };
const TO_HTML: Conditions = { mode: ['markdownToHtml'] };

const FROM_HTML_OPTIONS: readonly ParameterDescriptor[] = [
  text('bulletMarker', 'Bullet', '*'),
  text('codeFence', 'Code block fence', '```'),
  {
    name: 'codeBlockStyle',
    label: 'Code block style',
    type: 'options',
    default: 'fence',
    options: [choice('fence', 'Fenced'), choice('fenced', 'Fenced'), choice('indented', 'Indented')],
  },
  text('emDelimiter', 'Emphasis', '_'),
  text('strongDelimiter', 'Strong delimiter', '**'),
  { ...text('ignore', 'Ignored elements'), help: 'Comma-separated.' },
  { ...text('blockElements', 'Treat as blocks'), help: 'Comma-separated.' },
  flag('keepDataImages', 'Keep images with data'),
  { name: 'maxConsecutiveNewlines', label: 'Max consecutive new lines', type: 'number', default: 3 },
  flag('useLinkReferenceDefinitions', 'Place URLs at the bottom'),
  { name: 'globalEscape', label: 'Global escape pattern', type: 'fixedCollection', refused: OWN_PATTERNS },
  { name: 'lineStartEscape', label: 'Line start escape pattern', type: 'fixedCollection', refused: OWN_PATTERNS },
  { name: 'textReplace', label: 'Text replacement pattern', type: 'fixedCollection', refused: OWN_PATTERNS },
];

const TO_HTML_OPTIONS: readonly ParameterDescriptor[] = [
  flag('tables', 'Tables'),
  flag('strikethrough', 'Strikethrough'),
  flag('simpleLineBreaks', 'Simple line breaks'),
  flag('simplifiedAutoLink', 'Automatic linking to URLs'),
  flag('openLinksInNewWindow', 'Open links in new window'),
  flag('noHeaderId', 'No header ID'),
  text('prefixHeaderId', 'Prefix header ID'),
  flag('ghCompatibleHeaderId', 'GitHub compatible header IDs'),
  { name: 'headerLevelStart', label: 'Header level start', type: 'number', default: 1 },
  flag('completeHTMLDocument', 'Complete HTML document'),
  always('ghCodeBlocks', 'GitHub code blocks'),
  always('literalMidWordUnderscores', 'Middle word underscores'),
  always('requireSpaceBeforeHeadingText', 'Mandatory space before header'),
  {
    ...flag('encodeEmails', 'Encode emails'),
    help: 'Has no effect: addresses are not encoded.',
  },
  { ...flag('smoothLivePreview', 'Smart indentation fix'), help: 'Has no effect: applies to editors only.' },
  unsupported('backslashEscapesHTMLTags', 'Backslash escapes HTML tags'),
  unsupported('customizedHeaderId', 'Customized header ID'),
  unsupported('emoji', 'Emoji support'),
  unsupported('ghMentions', 'Mentions'),
  unsupported('parseImgDimensions', 'Parse image dimensions'),
  unsupported('rawHeaderId', 'Raw header ID'),
  unsupported('rawPrefixHeaderId', 'Raw prefix header ID'),
  unsupported('tablesHeaderId', 'Tables header ID'),
  unsupported('tasklists', 'Tasklists'),
  unsupported('splitAdjacentBlockquotes', 'Split adjacent blockquotes'),
];

const HELP = {
  mode: 'Direction of the conversion.',
  html: 'HTML to convert to Markdown.',
  markdown: 'Markdown to convert to HTML.',
  destinationKey: 'Name of the output field, in dot notation.',
  options: 'Additional options.',
} as const;

/** Converts HTML to Markdown, or Markdown to HTML. */
export const markdown: KindDescriptor = {
  kind: 'markdown',
  label: 'Markdown',
  description: 'Converts HTML to Markdown or Markdown to HTML.',
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
    text('destinationKey', 'Output field name', 'data'),
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
