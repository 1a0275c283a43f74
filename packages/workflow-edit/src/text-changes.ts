/** Replaces `length` characters at `offset` by `content`. */
export interface TextChange {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** Applies changes that do not overlap. All offsets are of the text before. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const { offset, length, content } of inOrder(changes)) {
    parts.push(text.slice(position, offset), content);
    position = offset + length;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

/** The changes that turn the result of `changes` back into `text`, byte for byte. */
export function inverseOf(text: string, changes: readonly TextChange[]): TextChange[] {
  let shift = 0;
  return inOrder(changes).map(({ offset, length, content }) => {
    const inverse = { offset: offset + shift, length: content.length, content: text.slice(offset, offset + length) };
    shift += content.length - length;
    return inverse;
  });
}

/** The span in which two strings differ, as a change from one to the other; empty if they are equal. */
export function changeBetween(before: string, after: string): TextChange[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const content = after.slice(start, after.length - end);
  return [{ offset: start, length: before.length - start - end, content }];
}

function inOrder(changes: readonly TextChange[]): TextChange[] {
  return [...changes].sort((one, other) => one.offset - other.offset);
}
