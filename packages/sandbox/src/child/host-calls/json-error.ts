import { textOf } from './arguments';

/** What V8 says about a string that is no JSON; undefined if it is JSON after all. */
export function jsonError(text: unknown): string | undefined {
  try {
    JSON.parse(textOf(text));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
}
