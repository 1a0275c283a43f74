import MarkdownIt from 'markdown-it';

/** Options of the generated HTML. */
export interface HtmlOptions {
  readonly tables: boolean;
  readonly strikethrough: boolean;
  readonly breaks: boolean;
  readonly linkify: boolean;
  readonly newWindow: boolean;
  readonly headingIds: boolean;
  readonly idPrefix: string;
  readonly dashesInIds: boolean;
  readonly firstLevel: number;
  readonly isWholeDocument: boolean;
}

/** A text in Markdown, and how it becomes HTML. */
export interface MarkdownTask {
  readonly markdown: string;
  readonly options: HtmlOptions;
}

/** Markdown as HTML. HTML within it is unchanged. */
export function htmlOfMarkdown({ markdown, options }: MarkdownTask): string {
  const html = rendererOf(options).render(markdown).trimEnd();
  return options.isWholeDocument
    ? `<!DOCTYPE HTML>\n<html>\n<head>\n<meta charset="utf-8">\n</head>\n<body>\n${html}\n</body>\n</html>`
    : html;
}

/** Created for each text: the rules store the ids of its headings. */
function rendererOf(options: HtmlOptions): MarkdownIt.MarkdownIt {
  const renderer = new MarkdownIt({ html: true, xhtmlOut: true, breaks: options.breaks, linkify: options.linkify });
  if (!options.tables) renderer.disable('table');
  if (!options.strikethrough) renderer.disable('strikethrough');
  const { escapeHtml } = renderer.utils;
  const ids = new Map<string, number>();
  renderer.renderer.rules['heading_open'] = (tokens, at, rendering, _env, self) => {
    const [opening, content] = [tokens[at], tokens[at + 1]];
    if (opening !== undefined && options.headingIds)
      opening.attrSet('id', headingId(content?.content ?? '', options, ids));
    shiftLevel(opening, options.firstLevel);
    return self.renderToken(tokens, at, rendering);
  };
  renderer.renderer.rules['heading_close'] = (tokens, at, rendering, _env, self) => {
    shiftLevel(tokens[at], options.firstLevel);
    return self.renderToken(tokens, at, rendering);
  };
  renderer.renderer.rules['s_open'] = () => '<del>';
  renderer.renderer.rules['s_close'] = () => '</del>';
  renderer.renderer.rules['link_open'] = (tokens, at, rendering, _env, self) => {
    if (options.newWindow) {
      tokens[at]?.attrSet('rel', 'noopener noreferrer');
      tokens[at]?.attrSet('target', '_blank');
    }
    return self.renderToken(tokens, at, rendering);
  };
  renderer.renderer.rules['fence'] = (tokens, at) => {
    const language = escapeHtml((tokens[at]?.info ?? '').trim().split(/\s/)[0] ?? '');
    const named = language === '' ? '' : ` class="${language} language-${language}"`;
    return `<pre><code${named}>${escapeHtml(tokens[at]?.content ?? '')}</code></pre>\n`;
  };
  return renderer;
}

function shiftLevel(token: { tag: string } | undefined, firstLevel: number): void {
  if (token !== undefined) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + firstLevel - 1)}`;
}

/** The letters and digits of the text in lower case, followed by a number if it occurred before. */
function headingId(text: string, options: HtmlOptions, ids: Map<string, number>): string {
  const plain = text.toLowerCase();
  const id =
    options.idPrefix +
    (options.dashesInIds ? plain.replace(/ /g, '-').replace(/[^\w-]/g, '') : plain.replace(/[^\w]/g, ''));
  const times = ids.get(id) ?? 0;
  ids.set(id, times + 1);
  return times === 0 ? id : `${id}-${times}`;
}
