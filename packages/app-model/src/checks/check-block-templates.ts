import type { AppList, AppRows, AppTableRequest } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';
import { letProblems, pathProblems, problemsIn, type Secrets, stepsProblems } from './check-templates';

const REQUEST_FIELDS = ['path', 'query', 'headers', 'body'] as const;
/** Names that the requests that write a table see. */
const WRITE_ROOTS = ['$header', '$headerRow', '$row', '$below'];

/** Problems of the expressions of the block `rows`. @param outer names that its operation knows, `$steps` included */
export function rowsTemplateProblems(
  rows: AppRows,
  path: Step[],
  outer: readonly string[],
  steps: readonly string[],
  secrets: Secrets,
): SourceProblem[] {
  const { problems, roots } = letProblems(rows.let, [...path, 'let'], outer, secrets, steps);
  const check = (value: unknown, place: string, more: readonly string[] = []): SourceProblem[] =>
    problemsIn(value, [...path, ...place.split('.')], [...roots, ...more], secrets, steps);
  const request = (part: AppTableRequest | undefined, place: string, more: readonly string[]): SourceProblem[] =>
    part === undefined
      ? []
      : [
          ...REQUEST_FIELDS.flatMap((key) => check(part[key], `${place}.${key}`, more)),
          ...pathProblems(part.path, [...path, place, 'path']),
        ];
  return [
    ...problems,
    ...(['header', 'first', 'extra', 'keepsColumns', 'find'] as const).flatMap((key) => check(rows[key], key)),
    ...check(rows.mapping?.before, 'mapping.before'),
    ...request(rows.read, 'read', []),
    ...check(rows.read.table, 'read.table', ['$response']),
    ...request(rows.columns, 'columns', WRITE_ROOTS),
    ...request(rows.write, 'write', [...WRITE_ROOTS, '$cells']),
    ...request(rows.append, 'append', [...WRITE_ROOTS, '$rows']),
  ];
}

/** Problems of the expressions of a list of options. */
export function listTemplateProblems(
  list: AppList,
  path: Step[],
  outer: readonly string[],
  secrets: Secrets,
): SourceProblem[] {
  const own = letProblems(list.let, [...path, 'let'], [...outer, '$search'], secrets);
  const { problems, names } = stepsProblems(list.steps ?? [], [...path, 'steps'], own.roots, secrets);
  const roots = [...own.roots, '$steps'];
  return [
    ...own.problems,
    ...problemsIn(list.refuse, [...path, 'refuse'], own.roots, secrets),
    ...problems,
    ...REQUEST_FIELDS.flatMap((key) => problemsIn(list[key], [...path, key], roots, secrets, names)),
    ...pathProblems(list.path, [...path, 'path']),
    ...problemsIn(list.list, [...path, 'list'], [...roots, '$response'], secrets, names),
    ...(['label', 'value'] as const).flatMap((key) =>
      problemsIn(list[key], [...path, key], [...roots, '$entry'], secrets, names),
    ),
  ];
}
