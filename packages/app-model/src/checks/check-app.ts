import type { AppDocument } from '../app-document.gen';
import { pathText } from '../source/paths';
import { readSource } from '../source/read-source';
import { type AppOrigin, problemsOf } from './check-document';

/** One thing that is wrong with an app file. */
export interface AppProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Path of the value, such as `calls.api.url`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** An app without problems, or all problems of its file. */
export type CheckedApp =
  | { readonly kind: 'app'; readonly app: AppDocument }
  | { readonly kind: 'problems'; readonly problems: readonly AppProblem[] };

/**
 * Reads an app file and checks it against the schema and against itself: names, hosts, credentials and expressions.
 * Problems with the form hide those with the content.
 * @param file name of the file, for messages
 */
export function checkApp(file: string, text: string, origin: AppOrigin = 'build'): CheckedApp {
  const source = readSource(text);
  if ('message' in source)
    return { kind: 'problems', problems: [{ file, line: source.line, path: '', message: source.message }] };
  const { value, lineOf } = source;
  const found = problemsOf(value, origin);
  if (found.kind === 'app') return found;
  const problems = found.problems.map(({ path, message, below = 0 }) => ({
    file,
    line: lineOf(path) + below,
    path: pathText(path),
    message,
  }));
  return { kind: 'problems', problems: problems.sort((one, other) => one.line - other.line) };
}
