import { type Json, type JsonObject, textField } from '@weft/node-catalogue';
import type { ExecutionError, Item } from '@weft/engine';

/** Maximum size of a tool's result as the model sees it, in bytes. */
export const MAX_TOOL_TEXT = 64 * 1024;

/** Room for the sentence between head and tail. */
const CUT_SENTENCE = 100;

/**
 * The items of a tool as text for the model: JSON of all of them, or the text itself if the only item is nothing but
 * `{ response }` with text or with the content that a tool of an MCP server returned. The result is data: nothing in it
 * is evaluated. Longer text is cut to its head and tail.
 */
export function toolText(items: readonly Item[]): string {
  return cutText(textOf(items));
}

/** The failure of a tool as text for the model. */
export function toolErrorText({ message, description }: Pick<ExecutionError, 'message' | 'description'>): string {
  const details = description === undefined || message.includes(description) ? '' : ` ${description}`;
  return cutText(`The tool failed: ${message}${details}`);
}

/** Text of at most `MAX_TOOL_TEXT` bytes: longer text without its middle, which a sentence replaces. */
export function cutText(text: string, maxBytes = MAX_TOOL_TEXT): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const part = Math.floor((maxBytes - CUT_SENTENCE) / 2);
  const head = whole(bytes.subarray(0, part));
  const tail = whole(bytes.subarray(bytes.length - part));
  return `${head}\n[${bytes.length - 2 * part} bytes of ${bytes.length} left out]\n${tail}`;
}

function textOf(items: readonly Item[]): string {
  const [first] = items;
  if (first === undefined) return 'The tool returned nothing.';
  const files = items.flatMap(({ binary }) => Object.values(binary ?? {}));
  if (files.length > 0 && items.every(({ json }) => Object.keys(json).length === 0))
    return `The tool returned ${files.length} file(s), which cannot be shown.`;
  const response = items.length === 1 ? onlyResponse(first.json) : undefined;
  return response ?? JSON.stringify(items.map(({ json }) => json));
}

function onlyResponse(json: JsonObject): string | undefined {
  const { response, ...others } = json;
  if (Object.keys(others).length > 0) return undefined;
  if (typeof response === 'string') return response;
  return Array.isArray(response) && response.length > 0 ? textOfContent(response) : undefined;
}

/** The content that a tool of an MCP server returned, as text; undefined for a list of anything else. */
function textOfContent(parts: readonly Json[]): string | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    const type = textField(part, 'type');
    const text = textField(part, 'text');
    const isFile = (type === 'image' || type === 'audio') && textField(part, 'data') !== undefined;
    if (type === 'text' && text !== undefined) texts.push(text);
    else if (isFile) texts.push(`[${type}, ${textField(part, 'mimeType') ?? 'type unknown'}]`);
    else return undefined;
  }
  return texts.join('\n');
}

/** Text of bytes that may begin and end within a character. */
function whole(bytes: Buffer): string {
  return bytes
    .toString()
    .replace(/^\uFFFD{1,3}/, '')
    .replace(/\uFFFD{1,3}$/, '');
}
