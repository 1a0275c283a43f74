import sanitize from 'sanitize-html';

/** Escapes text for HTML, between tags or in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);

const LINKS = { a: ['href', 'title', 'target', 'rel'] };
const SCHEMES = ['http', 'https', 'mailto', 'tel'];
/** Links open in a new window and reveal nothing about the form. */
const openElsewhere: sanitize.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer' },
});

const common: sanitize.IOptions = {
  allowedSchemes: SCHEMES,
  allowProtocolRelative: false,
  transformTags: { a: openElsewhere },
  disallowedTagsMode: 'discard',
  nestingLimit: 50,
};

const WORDS = [
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'br',
  'p',
  'ul',
  'ol',
  'li',
  'code',
  'small',
  'sub',
  'sup',
  'span',
  'a',
];

const TEXT: sanitize.IOptions = { ...common, allowedTags: WORDS, allowedAttributes: LINKS };

const CONTENT: sanitize.IOptions = {
  ...common,
  allowedTags: [
    ...WORDS,
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'blockquote',
    'pre',
    'hr',
    'div',
    'img',
    'table',
    'caption',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'figure',
    'figcaption',
    'dl',
    'dt',
    'dd',
    'mark',
    'abbr',
    'details',
    'summary',
    'video',
    'audio',
    'source',
  ],
  allowedAttributes: {
    ...LINKS,
    img: ['src', 'alt', 'title', 'width', 'height'],
    video: ['src', 'controls', 'width', 'height', 'poster'],
    audio: ['src', 'controls'],
    source: ['src', 'type'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
    abbr: ['title'],
    '*': ['class'],
  },
  allowedSchemesByTag: { img: ['https', 'http', 'data'] },
};

/** A description: text with simple markup. Line breaks are retained; all other markup is removed. */
export const safeText = (text: string): string => sanitize(text, TEXT).replace(/\r?\n/g, '<br>');

/** HTML content of a form: headings, tables, pictures. Nothing that runs, submits or styles. */
export const safeContent = (html: string): string => sanitize(html, CONTENT);

/** An address to which a browser may be redirected, or undefined if it is not an http or https address. */
export const safeUrl = (url: string): string | undefined => {
  try {
    const { protocol, href } = new URL(url.trim());
    return protocol === 'http:' || protocol === 'https:' ? href : undefined;
  } catch {
    return undefined;
  }
};
