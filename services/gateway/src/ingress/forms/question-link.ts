import type { FormButton, FormPage, FormWait } from '@weft/proto/channels';
import { ExecutionState, type StartedExecution } from '@weft/proto/executions';
import { monotonicTimeOf } from '@weft/service-kit/context';
import { closedPage, donePage, expiredPage, stoppedPage } from './notices';
import type { Page } from './page-shell';

/** Query parameter of the links in a message that asks for a response: the button that was clicked. */
const APPROVED_PARAMETER = 'approved';
/** The end of the wait in Unix seconds. It only chooses a page: the run knows the end. */
const EXPIRES_PARAMETER = 'expires';

/** True for a link in a message that asks for a response. */
export const isQuestionLink = (query: URLSearchParams): boolean => query.has(APPROVED_PARAMETER);

/** The address to which the page of a link is submitted: that of the link, without parameters of others. */
export const actionOf = (url: string | undefined, query: URLSearchParams): string => {
  const [path = ''] = (url ?? '').split('?');
  if (!isQuestionLink(query)) return path;
  const kept = [APPROVED_PARAMETER, EXPIRES_PARAMETER].flatMap((name): [string, string][] => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  return `${path}?${new URLSearchParams(kept).toString()}`;
};

/** The buttons of a page that asks for one choice: the one that the link names, otherwise all of them. */
export const buttonsOf = (
  { choice }: FormWait,
  { fields }: FormPage,
  query: URLSearchParams,
): readonly FormButton[] | undefined => {
  if (choice === undefined) return undefined;
  const wanted = query.get(fields[0]?.name ?? '');
  const named = choice.buttons.filter(({ value }) => value === wanted);
  return named.length > 0 ? named : choice.buttons;
};

/** The page after a response. */
export const answeredPage = ({ end }: FormWait): Page =>
  donePage('Response recorded', end?.end?.$case === 'text' ? end.end.value : '');

/** The page of a link to which no response is waited for. */
export const pageOfClosedLink = (polled: StartedExecution | undefined, query: URLSearchParams): Page => {
  if (polled?.ended?.state === ExecutionState.EXECUTION_STATE_CANCELLED) return { ...stoppedPage(), status: 410 };
  const expires = Number(query.get(EXPIRES_PARAMETER) ?? Number.NaN);
  return monotonicTimeOf(expires * 1_000) < performance.now() ? expiredPage() : closedPage();
};
