/** Starts of lines of blocks that most languages with braces have. */
const CONTROL = ['if ', 'for ', 'while ', 'switch ', 'case '];

const lines = (...starts: readonly string[]): readonly string[] => starts.map((start) => `\n${start}`);
const END = ['\n\n', '\n', ' ', ''];
const code = (...starts: readonly string[]): readonly string[] => [...lines(...starts, ...CONTROL), ...END];
const tags = ['body', 'div', 'p', 'br', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'span', 'table', 'tr', 'td', 'th'];

/** Where code and markup are split, the best place first. */
const SEPARATORS: Readonly<Record<string, readonly string[]>> = {
  cpp: code('class ', 'void ', 'int ', 'float ', 'double '),
  go: code('func ', 'var ', 'const ', 'type '),
  java: code('class ', 'public ', 'protected ', 'private ', 'static '),
  js: code('function ', 'const ', 'let ', 'var ', 'class '),
  php: code('function ', 'class ', 'foreach '),
  proto: [...lines('message ', 'service ', 'enum ', 'option ', 'import ', 'syntax '), ...END],
  python: [...lines('class ', 'def ', '\tdef '), ...END],
  rst: [...lines('===\n', '---\n', '***\n', '.. '), ...END],
  ruby: code('def ', 'class ', 'unless '),
  rust: code('fn ', 'const ', 'let ', 'loop ', 'match '),
  scala: code('class ', 'object ', 'def ', 'val ', 'var '),
  swift: code('func ', 'class ', 'struct ', 'enum '),
  markdown: [...lines('## ', '### ', '#### ', '##### ', '###### '), '```\n\n', '\n\n***\n\n', '\n\n---\n\n', ...END],
  latex: [...['chapter', 'section', 'subsection', 'subsubsection', 'begin'].map((name) => `\n\\${name}{`), ...END],
  html: [...tags.map((tag) => `<${tag}`), '<ul', '<ol', '<header', '<footer', '<nav', '<script', '<style', ' ', ''],
  sol: code('pragma ', 'using ', 'contract ', 'interface ', 'library ', 'function ', 'event ', 'struct ', 'enum '),
};

/** Languages whose parts are known. */
export const CODE_LANGUAGES: readonly string[] = Object.keys(SEPARATORS);

/** Where a language is split; undefined for one that is not known. */
export function codeSeparators(language: string): readonly string[] | undefined {
  return Object.hasOwn(SEPARATORS, language) ? SEPARATORS[language] : undefined;
}
