import type { Question } from './question';

/** The HTML and the text body of a mail with buttons. */
export interface QuestionBody {
  readonly html: string;
  readonly text: string;
}

const BUTTON =
  'display:inline-block;margin:0 12px 12px 0;padding:10px 20px;border:1px solid #444;border-radius:4px;' +
  'text-decoration:none;font-family:sans-serif;';
const STYLES = { primary: 'background:#222;color:#fff', secondary: 'background:#fff;color:#222' } as const;

/** Creates a mail with a message and buttons below it. The message may contain HTML, as in mails of other nodes. */
export function questionBody({ message, buttons }: Omit<Question, 'subject'>): QuestionBody {
  const links = buttons.map(
    ({ label, url, style }) =>
      `<a href="${escaped(url)}" target="_blank" style="${BUTTON}${STYLES[style]}">${escaped(label)}</a>`,
  );
  return {
    html:
      `<!DOCTYPE html>\n<html><body><div style="font-family:sans-serif;white-space:pre-line">` +
      `${message}</div><p style="margin-top:24px">${links.join('\n')}</p></body></html>`,
    text: `${withoutTags(message)}\n\n${buttons.map(({ label, url }) => `${label}: ${url}`).join('\n')}\n`,
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The text between the tags of HTML. */
const withoutTags = (html: string): string => html.replaceAll(/<\/?[a-z][^<>]*>/gi, '').trim();
