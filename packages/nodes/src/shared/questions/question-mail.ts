/** A button of a mail: a link that responds. */
export interface Button {
  readonly label: string;
  readonly url: string;
}

/** The HTML and the text body of a mail with buttons. */
export interface QuestionBody {
  readonly html: string;
  readonly text: string;
}

const BUTTON =
  'display:inline-block;margin:0 12px 12px 0;padding:10px 20px;border:1px solid ' +
  '#444;border-radius:4px;color:#222;text-decoration:none;font-family:sans-serif';

/** Creates a mail with a message and buttons below it. The message is plain text: markup in it is escaped. */
export function questionBody(message: string, buttons: readonly Button[]): QuestionBody {
  const lines = message.replaceAll('\\n', '\n').replaceAll(/<br\s*\/?>/gi, '\n');
  const links = buttons.map(
    ({ label, url }) => `<a href="${escaped(url)}" target="_blank" style="${BUTTON}">${escaped(label)}</a>`,
  );
  return {
    html:
      `<!DOCTYPE html>\n<html><body><p style="font-family:sans-serif;white-space:pre-line">` +
      `${escaped(lines)}</p><p>${links.join('\n')}</p></body></html>`,
    text: `${lines}\n\n${buttons.map(({ label, url }) => `${label}: ${url}`).join('\n')}\n`,
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
