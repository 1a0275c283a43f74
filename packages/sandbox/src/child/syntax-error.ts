import { Script } from 'node:vm';

/** An error as the prelude reports it. */
export interface ReportedError {
  readonly name: string;
  readonly message: string;
  /** Line of the user's code, from 1. */
  readonly line?: number;
}

/**
 * The error in code that the engine could not compile, in the words that JavaScript's users know: V8 reads it
 * too, without running it. `engineText` is what the engine said.
 */
export function describeSyntaxError(code: string, engineText: string): ReportedError {
  try {
    // Compiled only: nothing here ever runs it.
    void new Script(code, { filename: 'code' });
  } catch (error) {
    if (!(error instanceof SyntaxError)) return fallback(engineText);
    const line = /^code:(\d+)/.exec(error.stack ?? '')?.[1];
    return { name: 'SyntaxError', message: error.message, ...(line === undefined ? {} : { line: Number(line) }) };
  }
  return fallback(engineText);
}

function fallback(engineText: string): ReportedError {
  const [, name = 'SyntaxError', message = engineText] = /^(\w+): (.*)$/s.exec(engineText) ?? [];
  return { name, message };
}
