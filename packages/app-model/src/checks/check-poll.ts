import type { AppDocument, AppPoll } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';
import { pageProblems } from './check-names';
import { callProblems, plainStepProblems, stepNameProblems } from './check-steps';
import { letProblems, pathProblems, problemsIn, REQUEST_FIELDS, type Secrets, stepsProblems } from './check-templates';

/** Problems with the names that a poll uses. */
export function pollProblems(app: AppDocument, path: Step[], poll: AppPoll, used: Set<string>): SourceProblem[] {
  const { call, pages, steps = [], each = [], newest, changes, max } = poll;
  const earlier = steps.map((step) => step.as);
  return [
    ...callProblems(app, [...path, 'call'], call, used),
    ...(pages === undefined ? [] : pageProblems(app, [...path, 'pages'], poll, used)),
    ...stepNameProblems(app, [...path, 'steps'], steps, used),
    ...plainStepProblems([...path, 'steps'], steps),
    ...stepNameProblems(app, [...path, 'each'], each, used),
    ...plainStepProblems([...path, 'each'], each, true),
    ...each.flatMap((step, index) =>
      earlier.includes(step.as)
        ? [{ path: [...path, 'each', index, 'as'], message: `A step before the list has the name ${step.as}.` }]
        : [],
    ),
    ...(max !== undefined && newest === undefined
      ? [{ path: [...path, 'max'], message: 'Only a poll with `newest` has a `max`.' }]
      : []),
    ...((newest === undefined) === (changes === undefined)
      ? [{ path, message: 'A poll needs either `newest` or `changes`.' }]
      : []),
  ];
}

/** Problems of the expressions of a poll. @param outer names that its kind knows */
export function pollTemplateProblems(
  poll: AppPoll,
  path: Step[],
  outer: readonly string[],
  secrets: Secrets,
): SourceProblem[] {
  const own = letProblems(poll.let, [...path, 'let'], [...outer, '$since'], secrets);
  const { problems, names } = stepsProblems(poll.steps ?? [], [...path, 'steps'], own.roots, secrets);
  const roots = [...own.roots, '$steps'];
  const ofEntry = [...own.roots, '$entry', '$index', '$change'];
  // The response of a list in pages is not kept.
  const after = ['$steps', ...(poll.pages === undefined ? ['$response'] : [])];
  const each = stepsProblems(poll.each ?? [], [...path, 'each'], ofEntry, secrets);
  return [
    ...own.problems,
    ...problems,
    ...REQUEST_FIELDS.flatMap((key) =>
      key === 'multipart' ? [] : problemsIn(poll[key], [...path, key], roots, secrets, names),
    ),
    ...pathProblems(poll.path, [...path, 'path']),
    ...problemsIn(poll.list, [...path, 'list'], [...roots, '$response'], secrets, names),
    ...problemsIn(poll.changes, [...path, 'changes'], own.roots, secrets),
    ...problemsIn(poll.max, [...path, 'max'], roots, secrets, names),
    ...problemsIn(poll.key, [...path, 'key'], [...ofEntry, ...after], secrets, names),
    ...each.problems,
    ...(['newest', 'accept', 'item'] as const).flatMap((key) =>
      problemsIn(poll[key], [...path, key], [...ofEntry, ...after], secrets, [...names, ...each.names]),
    ),
  ];
}
