/**
 * A fault the person at the keyboard can do something about. Its message is one complete sentence (or two) that names
 * the cause and the remedy; commands print it without a stack trace and end with exit code 1.
 */
export class StackError extends Error {
  override readonly name = 'StackError';
}

/** Receives one line of progress for a person to read, without a line end. */
export type Report = (line: string) => void;

/** The message of a thrown value of any type. */
export function messageOf(error: unknown): string {
  return hasField(error, 'message') ? String(error.message) : String(error);
}

/** True if a thrown value is a system error with that code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return hasField(error, 'code') && error.code === code;
}

// not `instanceof Error`: the errors of Node's own modules are made in another realm where code runs in a vm, as in
// jest
function hasField<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value;
}
