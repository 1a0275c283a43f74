import type { FormPage, FormWait } from '@weft/proto/channels';
import {
  type FindWaitResponse,
  type PollExecutionResponse,
  type StartedExecution,
  StartWait,
} from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import type { RequestListener } from 'node:http';
import { WaitNotFound } from '../../errors';
import { nameExecution } from '../../http/execution-header';
import { checkMessageSize } from '../../http/message-size';
import { createStoreFile } from '../../uploads/store-file';
import type { IngressOptions } from '../open-ingress';
import { checkCaller, isGuarded } from '../webhooks/check-caller';
import { isToken } from '../webhooks/waiting-address';
import { checkAnswers } from './check-answers';
import { checkOrigin, countOf, type FormCall, openFormIngress, PAGE_WAIT_MS } from './form-ingress';
import { outcomeOf } from './form-outcome';
import { EMPTY_PAGE } from './form-page';
import { errorsWithFiles, formItems, valuesAgain, valuesAtFirst } from './form-values';
import { writePage } from './page-shell';
import { actionOf, answeredPage, buttonsOf, isQuestionLink, pageOfClosedLink } from './question-link';
import { readSubmission } from './read-submission';
import { formPage } from './render-form';
import { endPage, FILE_PARAMETER, showOutcome, TRIES_PARAMETER } from './show-outcome';
import { newSubmissionId, type Submission } from './submission';

const ROOT = '/form-waiting/';
/** Milliseconds within which a run shows whether it has more for the user who resumed it. */
const SOON_MS = 1_500;

/** A page that a run is waiting for. */
interface WaitingForm {
  readonly wait: FindWaitResponse;
  readonly page: FormPage;
  readonly settings: FormWait;
}

/** The form that a run waits for at the address; undefined if it waits for something else. */
const readWaiting = (wait: FindWaitResponse, suffix: string): WaitingForm | undefined => {
  const { channel, suffix: expected } = wait.settings ?? {};
  if (channel?.$case !== 'form' || expected !== suffix) return undefined;
  return { wait, page: channel.value.page ?? EMPTY_PAGE, settings: channel.value };
};

const show = (
  { request, response, query }: FormCall,
  { page, settings }: WaitingForm,
  submission?: Submission,
  errors: ReadonlyMap<number, string> = new Map(),
): void => {
  const values = submission === undefined ? valuesAtFirst(page, new URLSearchParams()) : valuesAgain(page, submission);
  const shown = formPage({
    page,
    action: actionOf(request.url, query),
    submission: submission?.id ?? newSubmissionId(),
    values,
    errors,
    buttons: buttonsOf(settings, page, query),
  });
  writePage(response, {
    ...shown,
    status: errors.size === 0 ? 200 : 400,
    isGuarded: isGuarded(settings.callers),
  });
};

const take = async (call: FormCall, token: string, waiting: WaitingForm): Promise<void> => {
  const { request, response, options, raw, query } = call;
  const { clients, readBody, gateOf } = options;
  const gate = gateOf(request, response);
  const { wait, page, settings } = waiting;
  if (isGuarded(settings.callers)) checkOrigin(call);
  const submission = await readSubmission(request, response, {
    readBody,
    gate,
    storeFile: createStoreFile(clients, wait.executionId),
  });
  const { errors, body, binary } = checkAnswers(page.fields, submission);
  if (errors.size > 0) return show(call, waiting, submission, errorsWithFiles(page, errors, submission));
  const input = formItems(body, binary, new URLSearchParams(), new Date());
  checkMessageSize(input.length);
  const params = { generation: wait.generation, wait: StartWait.START_WAIT_UNSPECIFIED, waitMs: 0 };
  try {
    await clients.executions.calls.resumeExecution({ resumeToken: token, input, ...params });
  } catch (error) {
    const isLate = error instanceof ServiceError && error.reason === 'EXECUTION_NOT_WAITING';
    if (!isLate || !isQuestionLink(query)) throw error;
    return writePage(response, pageOfClosedLink(undefined, query));
  }
  if (isQuestionLink(query)) return writePage(response, { ...answeredPage(settings), css: page.css });
  // Without a next page the form is complete, unless the run soon shows more.
  if (!settings.leadsOn && !(await saysMore(token, options)))
    return writePage(response, { ...endPage(settings.end), css: page.css });
  if (!response.headersSent)
    response.writeHead(303, { location: `${ROOT}${raw}`, 'cache-control': 'no-store', 'content-length': 0 }).end();
};

const poll = (token: string, waitMs: number, { clients }: IngressOptions): Promise<PollExecutionResponse> =>
  clients.executions.calls.pollExecution(
    { resumeToken: token, workflowId: '', startNode: '', idempotencyKey: '', waitMs },
    { waits: true, deadlineMs: 2 * PAGE_WAIT_MS },
  );

/** True if the run has another page, or a response, for the user who has just resumed it. */
const saysMore = async (token: string, options: IngressOptions): Promise<boolean> => {
  const { polled, waiting } = await poll(token, SOON_MS, options);
  const { kind } = outcomeOf(polled);
  return waiting !== undefined || (kind !== 'working' && kind !== 'done');
};

/** Drops an announced page that was not submitted in time and that the run no longer waits for. */
const withoutPage = (polled: StartedExecution | undefined): StartedExecution | undefined =>
  polled !== undefined && outcomeOf(polled).kind === 'page' ? { ...polled, response: undefined } : polled;

const receive = async (call: FormCall): Promise<void> => {
  const { request, response, options, raw, query, isSent } = call;
  const [token = '', ...suffix] = raw.split('/');
  if (!isToken(token)) throw new WaitNotFound();
  const { polled, waiting } = await poll(token, isSent ? 0 : PAGE_WAIT_MS, options);
  const form = waiting === undefined ? undefined : readWaiting(waiting, suffix.join('/'));
  if (form !== undefined) {
    await checkCaller(request, response, form.wait, form.settings.callers, options);
    nameExecution(response, form.wait.executionId);
    return isSent ? take(call, token, form) : show(call, form);
  }
  if (isQuestionLink(query)) {
    nameExecution(response, polled?.executionId);
    return writePage(response, pageOfClosedLink(polled, query));
  }
  // After a form was submitted twice or too late, the state of the run is shown.
  const url = `${ROOT}${raw}?weft=1`;
  const view = {
    url,
    tries: countOf(query, TRIES_PARAMETER),
    wantedFile: countOf(query, FILE_PARAMETER),
    end: undefined,
    css: '',
    isGuarded: false,
    clients: options.clients,
  };
  await showOutcome(response, withoutPage(polled), view);
};

/**
 * Handles requests to /form-waiting/<token>: shows the page that a run waits for, passes the submission to the run, and
 * shows its state while it is running and after it has ended. Any caller who has the address may use it.
 */
export const createFormWaitingReceiver = (options: IngressOptions): RequestListener =>
  openFormIngress({ root: ROOT, isSecret: true }, options, receive);
