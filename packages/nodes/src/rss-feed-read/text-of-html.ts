import { decodeHTML } from 'entities';

const BLOCK = /^\/?(?:h[1-6]?|br|p|ul|ol|li|blockquote|section|table|tr|div)(?=[\s/]|$)/i;

/** The text of HTML without its tags, in one pass: block tags between two characters become line breaks. */
export function textOfHtml(html: string): string {
  let text = '';
  let from = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', from)) {
    const close = html.indexOf('>', open);
    if (close === -1) break;
    text += html.slice(from, open);
    const breaks = BLOCK.test(html.slice(open + 1, Math.min(close, open + 16))) && text !== '' && !text.endsWith('\n');
    if (breaks && close + 1 < html.length && html[close + 1] !== '\n' && html[close + 1] !== '<') text += '\n';
    from = close + 1;
  }
  return decodeHTML(text + html.slice(from)).trim();
}
