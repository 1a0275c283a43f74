import { type JsonObject, textField } from '@weft/node-catalogue';

const BLOCK = /(-----BEGIN [A-Z0-9 ]+-----)([^-]*)(-----END [A-Z0-9 ]+-----)/g;
const LINE_CHARACTERS = 64;

/**
 * A field that holds keys or certificates in PEM. Restores the line breaks that are often lost when a key is pasted
 * into a single line. Undefined if the field is empty.
 */
export function pemField(data: JsonObject, name: string): string | undefined {
  const text = (textField(data, name) ?? '').trim();
  if (text === '') return undefined;
  return text.includes('\n') ? text : text.replaceAll('\\n', '\n').replace(BLOCK, inLines);
}

function inLines(_block: string, begin: string, body: string, end: string): string {
  const characters = body.replaceAll(/\s+/g, '');
  const lines = characters.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? [];
  return [begin, ...lines, end, ''].join('\n');
}
