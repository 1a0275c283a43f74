/**
 * A fault the person at the keyboard can do something about. Its message is one complete sentence (or two) that names
 * the cause and the way out; commands print it without a stack trace and end with exit code 1.
 */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** Receives one line of progress for a person to read, without a line end. */
export type Report = (line: string) => void;

/** What a thrown value says, whatever its type. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
