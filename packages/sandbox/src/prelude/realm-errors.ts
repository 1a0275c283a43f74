import type { CodeError } from '../code/code-data';

/** A frame of the user's code in a V8 stack trace, without the message above the frames. */
const PLACE = /^ {4}at (?:.* \()?code:(\d+):\d+\)?$/m;
/** V8's message when the code imports something; it comes from the process around the realm. */
const IMPORTS = /^A dynamic import callback was /;

/** A frame of a stack. */
interface Frame {
  getFileName(): string | null | undefined;
  toString(): string;
}

/**
 * `Error.prepareStackTrace`: keeps only the frames of the user's code. Others would reveal file names of this
 * installation.
 */
export function formatStack(error: unknown, frames: readonly Frame[]): string {
  let text = headOf(error);
  for (const frame of frames) if (frame.getFileName() === 'code') text += `\n    at ${frame.toString()}`;
  return text;
}

function headOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

/** Describes an uncaught thrown value. Never throws. */
export function describeThrown(thrown: unknown): CodeError {
  try {
    if (typeof thrown !== 'object' || thrown === null) return { name: 'Error', message: String(thrown) };
    const { name, message, description }: { name?: unknown; message?: unknown; description?: unknown } = thrown;
    const line = 'stack' in thrown ? PLACE.exec(String(thrown.stack))?.[1] : undefined;
    return {
      name: String(name ?? 'Error'),
      message: message === undefined ? 'Unknown error' : inWords(String(message)),
      ...(typeof description === 'string' ? { description } : {}),
      ...(line === undefined ? {} : { line: Number(line) }),
    };
  } catch {
    return { name: 'Error', message: 'The code threw something that cannot be described' };
  }
}

function inWords(message: string): string {
  return IMPORTS.test(message) ? 'Cannot find module: import() is not available in code, require() is' : message;
}
