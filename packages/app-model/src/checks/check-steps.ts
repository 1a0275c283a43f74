import type { AppDocument, AppStep } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';

/** The problem with the name of a call, if it has one. @param used gets the names that are used */
export function callProblems(app: AppDocument, path: Step[], call: string, used: Set<string>): SourceProblem[] {
  used.add(`calls.${call}`);
  return Object.hasOwn(app.calls, call) ? [] : [{ path, message: `There is no call ${call}.` }];
}

/** Problems with steps. @param path of their list @param used gets the names that are used */
export function stepNameProblems(
  app: AppDocument,
  path: Step[],
  steps: readonly AppStep[] = [],
  used: Set<string>,
): SourceProblem[] {
  const names = steps.map((step) => step.as);
  return steps.flatMap((step, index) => {
    const at = [...path, index];
    return [
      ...callProblems(app, [...at, 'call'], step.call, used),
      ...bodyProblems(at, step),
      ...(names.indexOf(step.as) < index
        ? [{ path: [...at, 'as'], message: `The name ${step.as} occurs twice.` }]
        : []),
      ...repetitionProblems(app, at, step, used),
    ];
  });
}

/** Problems with the form of a body. */
export function bodyProblems(
  path: Step[],
  { body, form, multipart, text }: Pick<AppStep, 'body' | 'form' | 'multipart' | 'text'>,
): SourceProblem[] {
  const forms = [form, multipart, text].filter((one) => one !== undefined);
  if (forms.length > 1) return [{ path, message: 'A body is one of `form`, `multipart` and `text`.' }];
  return forms.length > 0 && body === undefined ? [{ path, message: 'The `body` is missing.' }] : [];
}

/**
 * Problems of steps where each sends one request: before `rows`, in lists of options, in polls and in the requests of
 * webhooks.
 * @param path of their list
 * @param canReadMail true if they may have a `mail`
 */
export function plainStepProblems(path: Step[], steps: readonly AppStep[] = [], canReadMail = false): SourceProblem[] {
  return steps.flatMap((step, index) =>
    (['once', 'forEach', 'pages', 'list', 'mail', 'file'] as const)
      .filter((part) => step[part] !== undefined && !(canReadMail && part === 'mail'))
      .map((part) => ({ path: [...path, index, part], message: 'A step does not have it here.' })),
  );
}

function repetitionProblems(app: AppDocument, path: Step[], step: AppStep, used: Set<string>): SourceProblem[] {
  const { once, forEach, pages, list, mail, file, method = app.calls[step.call]?.method ?? 'GET' } = step;
  if (pages !== undefined) used.add(`pages.${pages}`);
  const isRead = method === 'GET' || method === 'HEAD';
  return [
    ...(once === true && (!isRead || (file ?? mail) !== undefined)
      ? [{ path: [...path, 'once'], message: 'Only a step that reads JSON can be sent once: its method must be GET.' }]
      : []),
    ...(pages !== undefined && list === undefined ? [{ path, message: 'A step with `pages` needs a `list`.' }] : []),
    ...([list, mail, file].filter((one) => one !== undefined).length > 1
      ? [{ path, message: 'A step has one of `list`, `mail` and `file`.' }]
      : []),
    ...(pages !== undefined && (app.pages === undefined || !Object.hasOwn(app.pages, pages))
      ? [{ path: [...path, 'pages'], message: `There are no pages ${pages}.` }]
      : []),
    ...(pages !== undefined && forEach !== undefined
      ? [{ path, message: 'A step with `pages` has no `forEach`.' }]
      : []),
  ];
}
