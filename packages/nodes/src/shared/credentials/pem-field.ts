import { type JsonObject, textField } from '@weft/node-catalogue';

const DASHES = '-----';
const BEGIN = /^BEGIN [A-Z0-9 ]+$/;
const END = /^END [A-Z0-9 ]+$/;
const LINE = /.{1,64}/g;

/**
 * A field that holds keys or certificates in PEM. Restores the line breaks that are often lost when a key is pasted
 * into a single line. Undefined if the field is empty.
 */
export function pemField(data: JsonObject, name: string): string | undefined {
  const text = (textField(data, name) ?? '').trim();
  if (text === '') return undefined;
  return text.includes('\n') ? text : withLines(text.replaceAll('\\n', '\n'));
}

/** Breaks the lines of each block: its beginning, its content in short lines, and its end. */
function withLines(text: string): string {
  const parts = text.split(DASHES);
  let result = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 1) {
    const [begin = '', body = '', end = ''] = parts.slice(at, at + 3);
    if (at + 3 < parts.length && BEGIN.test(begin) && END.test(end) && !body.includes('-')) {
      const characters = body.replaceAll(/\s+/g, '');
      const lines = characters.match(LINE) ?? [];
      result += [`${DASHES}${begin}${DASHES}`, ...lines, `${DASHES}${end}${DASHES}`, parts[at + 3] ?? ''].join('\n');
      at += 3;
    } else result += `${DASHES}${begin}`;
  }
  return result;
}
