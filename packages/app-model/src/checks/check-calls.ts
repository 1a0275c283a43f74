import type { AppDocument, AppStep } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';

/** The problem with the name of a call, if it has one. @param used gets the names that are used */
export function callProblems(app: AppDocument, path: Step[], call: string, used: Set<string>): SourceProblem[] {
  used.add(`calls.${call}`);
  return Object.hasOwn(app.calls, call) ? [] : [{ path, message: `There is no call ${call}.` }];
}

/** Steps before tables and in lists of options are single requests. */
export function singleProblems(path: Step[], step: AppStep): SourceProblem[] {
  return (['forEach', 'pages', 'list', 'mail'] as const)
    .filter((name) => step[name] !== undefined)
    .map((name) => ({ path: [...path, name], message: `A step has no \`${name}\` here.` }));
}
