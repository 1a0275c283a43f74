import MarkdownIt from 'markdown-it';
import { type ParameterSource, booleanParameter, numberParameter, textParameter } from '../shared/read-parameter';

/** Options of the generated HTML. */
interface HtmlOptions {
  readonly tables: boolean;
  readonly strikethrough: boolean;
  readonly breaks: boolean;
  readonly linkify: boolean;
  readonly newWindow: boolean;
  readonly headingIds: boolean;
  readonly idPrefix: string;
  readonly dashesInIds: boolean;
  readonly firstLevel: number;
}

/** Markdown as HTML, with the options of the node. HTML within it is unchanged. */
export function htmlOfMarkdown(markdown: string, context: ParameterSource, index: number): string {
  const is = (name: string): boolean => booleanParameter(context, `options.${name}`, index);
  const html = rendererOf({
    tables: is('tables'),
    strikethrough: is('strikethrough'),
    breaks: is('simpleLineBreaks'),
    linkify: is('simplifiedAutoLink'),
    newWindow: is('openLinksInNewWindow'),
    headingIds: !is('noHeaderId'),
    dashesInIds: is('ghCompatibleHeaderId'),
    idPrefix: textParameter(context, 'options.prefixHeaderId', index),
    firstLevel: Math.min(6, Math.max(1, numberParameter(context, 'options.headerLevelStart', index))),
  })
    .render(markdown)
    .trimEnd();
  return is('completeHTMLDocument')
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
