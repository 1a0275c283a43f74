import type { Answer } from '../middleware/responses/write-answer';

/** Maximum characters of a result: the context of a model is small, and others share it. */
export const MAX_RESULT = 50_000;

/** A part of a text. */
export interface TextWindow {
  readonly text: string;
  /** True if more text follows. */
  readonly hasMore: boolean;
}

const windowOf = (text: string, offset: number, limit: number): TextWindow => ({
  text: text.slice(offset, offset + limit),
  hasMore: text.length > offset + limit,
});

/** Reads a part of a response. The text before it is dropped, the text after it is not read. */
export const readWindow = async (answer: Answer, offset: number, limit: number): Promise<TextWindow> => {
  if (!('parts' in answer)) return windowOf(answer.json.toString(), offset, limit);
  const decoder = new TextDecoder();
  let dropped = 0;
  let text = '';
  for await (const part of answer.parts) {
    text += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    const drop = Math.min(text.length, offset - dropped);
    text = text.slice(drop);
    dropped += drop;
    if (text.length > limit) break;
  }
  return windowOf(text, 0, limit);
};

/** A part of a result, with how to get the rest. */
export const shownWindow = ({ text, hasMore }: TextWindow, offset: number): string => {
  const next = offset + text.length;
  if (hasMore) return `${text}\n\n[Truncated at character ${next}. Call again with "offset": ${next} for the rest.]`;
  return text === '' && offset > 0 ? `[Nothing at character ${offset}: the result is shorter.]` : text;
};

/** A part of a whole text from an offset on, with how to get the rest. */
export const shownPart = (text: string, offset: number): string =>
  shownWindow(windowOf(text, offset, MAX_RESULT), offset);

/** A text that has no offset to continue at. */
export const shownText = (text: string, advice: string): string =>
  text.length <= MAX_RESULT
    ? text
    : `${text.slice(0, MAX_RESULT)}\n\n[Truncated at character ${MAX_RESULT}. ${advice}]`;
