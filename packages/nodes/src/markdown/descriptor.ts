import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const FROM_HTML: Conditions = { mode: ['htmlToMarkdown'] };
const TO_HTML: Conditions = { mode: ['markdownToHtml'] };

const PAIR: readonly ParameterDescriptor[] = [text('pattern', 'Pattern'), text('replacement', 'Replacement')];
const pattern = (name: string, label: string, help: string): ParameterDescriptor => ({
  name,
  label,
  type: 'fixedCollection',
  help,
  groups: [{ name: 'value', label: 'Value', fields: PAIR }],
});

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
  pattern(
    'globalEscape',
    'Global escape pattern',
    'Text to escape anywhere, and the replacement of its first occurrence.',
  ),
  pattern('lineStartEscape', 'Line start escape pattern', 'Text to escape at the start of lines, and its replacement.'),
  {
    name: 'textReplace',
    label: 'Text replacement pattern',
    type: 'fixedCollection',
    multiple: true,
    help: 'Strings whose first occurrence in each text is replaced.',
    groups: [{ name: 'values', label: 'Replacements', fields: PAIR }],
  },
];

/** Switches for the generated HTML. */
export const MARKDOWN_FLAGS = [
  'tables',
  'strikethrough',
  'simpleLineBreaks',
  'simplifiedAutoLink',
  'excludeTrailingPunctuationFromURLs',
  'openLinksInNewWindow',
  'noHeaderId',
  'ghCompatibleHeaderId',
  'customizedHeaderId',
  'rawHeaderId',
  'rawPrefixHeaderId',
  'tablesHeaderId',
  'completeHTMLDocument',
  'ghCodeBlocks',
  'ghMentions',
  'tasklists',
  'emoji',
  'parseImgDimensions',
  'literalMidWordUnderscores',
  'literalMidWordAsterisks',
  'requireSpaceBeforeHeadingText',
  'backslashEscapesHTMLTags',
  'encodeEmails',
  'smartIndentationFix',
  'smoothLivePreview',
  'disableForced4SpacesIndentedSublists',
  'splitAdjacentBlockquotes',
] as const;

const FLAG_LABELS: Readonly<Record<(typeof MARKDOWN_FLAGS)[number], string>> = {
  tables: 'Tables',
  strikethrough: 'Strikethrough',
  simpleLineBreaks: 'Simple line breaks',
  simplifiedAutoLink: 'Automatic linking to URLs',
  excludeTrailingPunctuationFromURLs: 'Exclude trailing punctuation from URLs',
  openLinksInNewWindow: 'Open links in new window',
  noHeaderId: 'No header ID',
  ghCompatibleHeaderId: 'GitHub compatible header IDs',
  customizedHeaderId: 'Customized header ID',
  rawHeaderId: 'Raw header ID',
  rawPrefixHeaderId: 'Raw prefix header ID',
  tablesHeaderId: 'Tables header ID',
  completeHTMLDocument: 'Complete HTML document',
  ghCodeBlocks: 'GitHub code blocks',
  ghMentions: 'Mentions',
  tasklists: 'Tasklists',
  emoji: 'Emoji support',
  parseImgDimensions: 'Parse image dimensions',
  literalMidWordUnderscores: 'Middle word underscores',
  literalMidWordAsterisks: 'Middle word asterisks',
  requireSpaceBeforeHeadingText: 'Mandatory space before header',
  backslashEscapesHTMLTags: 'Backslash escapes HTML tags',
  encodeEmails: 'Encode emails',
  smartIndentationFix: 'Smart indentation fix',
  smoothLivePreview: 'Smooth live preview',
  disableForced4SpacesIndentedSublists: 'Disable forced 4 spaces for sublists',
  splitAdjacentBlockquotes: 'Split adjacent blockquotes',
};
const ON_BY_DEFAULT: ReadonlySet<string> = new Set(['ghCodeBlocks', 'encodeEmails']);

const TO_HTML_OPTIONS: readonly ParameterDescriptor[] = [
  ...MARKDOWN_FLAGS.map((name) => flag(name, FLAG_LABELS[name], ON_BY_DEFAULT.has(name))),
  text('prefixHeaderId', 'Prefix header ID'),
  text('ghMentionsLink', 'Mention link', 'https://github.com/{u}'),
  { name: 'headerLevelStart', label: 'Header level start', type: 'number', default: 1 },
];

const HELP = {
  mode: 'Direction of the conversion.',
  html: 'HTML to convert to Markdown.',
  markdown: 'Markdown to convert to HTML.',
  destinationKey: 'Name of the output field, in dot notation.',
  options: 'Additional options.',
} as const;

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
    { ...text('html', 'HTML', '', { editor: 'html' }), required: true, shownWhen: FROM_HTML },
    { ...text('markdown', 'Markdown', '', { editor: 'multiline' }), required: true, shownWhen: TO_HTML },
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
