import type { FormEnd } from '@weft/proto/channels';
import type { LastPage, OfferedFile } from '@weft/proto/form-answer';
import type { StartedExecution } from '@weft/proto/executions';
import type { ServerResponse } from 'node:http';
import type { Clients } from '../../clients';
import { nameExecution } from '../../http/execution-header';
import { downloadHeaders, openFile } from '../../http/file-answer';
import { writeAnswer } from '../../middleware/responses/write-answer';
import { writeRunAnswer } from '../webhooks/write-run-answer';
import { guardWebhookAnswer } from '../webhooks/write-webhook-answer';
import { type FormOutcome, outcomeOf } from './form-outcome';
import { donePage, failedPage, filePage, leavingPage, stoppedPage, workingPage } from './notices';
import { type Page, writePage } from './page-shell';
import { safeUrl } from './safe-html';

/** Options for showing an outcome. */
export interface OutcomeView {
  /** Address of the page, with the parameters that identify the run; it already contains a query. */
  readonly url: string;
  /** Number of polls by the page so far. */
  readonly tries: number;
  /** Number of the file that the browser requests, from 1; 0: the page. */
  readonly wantedFile: number;
  /** The final page, unless the run sets its own. */
  readonly end: FormEnd | undefined;
  readonly css: string;
  readonly isGuarded: boolean;
  readonly clients: Clients;
}

/** Query parameters of these pages, which belong to no field. */
export const TRIES_PARAMETER = 'weft-try';
export const FILE_PARAMETER = 'weft-file';

/** Polling continues for about ten minutes; then the user decides. */
const MAX_TRIES = 80;
const FILE_DEADLINE_MS = 30_000;

const secondsAfter = (tries: number): number => (tries < 5 ? 1 : tries < 20 ? 2 : 5);

/** The page at the end of a form, as its author configured it. */
export const endPage = (end: FormEnd | undefined): Page => {
  const { end: shown } = end ?? {};
  if (shown?.$case !== 'redirectUrl') return donePage('', shown?.value ?? '');
  const url = safeUrl(shown.value);
  return url === undefined ? donePage('', '') : leavingPage(url);
};

const writeFile = async (
  response: ServerResponse,
  executionId: string,
  { fileId, fileName, mimeType }: OfferedFile,
  { executions }: Clients,
): Promise<void> => {
  const { head, parts } = await openFile(
    executions.calls.readBinary({ executionId, fileId }, { deadlineMs: FILE_DEADLINE_MS }),
  );
  await writeAnswer(response, {
    status: 200,
    headers: downloadHeaders(head.mimeType ?? mimeType, head.fileName ?? fileName),
    parts,
  });
};

const leadTo = (response: ServerResponse, token: string): void => {
  if (response.headersSent || response.destroyed) return;
  response
    .writeHead(303, {
      location: `/form-waiting/${encodeURIComponent(token)}`,
      'cache-control': 'no-store',
      'content-length': 0,
    })
    .end();
};

const lastPage = (page: Page, { pageTitle, css }: LastPage): Page => ({
  ...page,
  ...(pageTitle === '' ? {} : { title: pageTitle }),
  css,
});

const pageOf = (outcome: Exclude<FormOutcome, { kind: 'page' | 'answer' }>, { url, tries, end }: OutcomeView): Page => {
  switch (outcome.kind) {
    case 'done':
      return endPage(end);
    case 'end':
      return lastPage(donePage(outcome.title, outcome.message), outcome);
    case 'failed':
      return failedPage();
    case 'stopped':
      return stoppedPage();
    case 'redirect':
      return endPage({ end: { $case: 'redirectUrl', value: outcome.url } });
    case 'file':
      return lastPage(
        filePage(
          outcome.title,
          outcome.message,
          outcome.files.map(({ fileName }, at) => ({ url: `${url}&${FILE_PARAMETER}=${at + 1}`, fileName })),
        ),
        outcome,
      );
    case 'working':
      return workingPage(
        tries >= MAX_TRIES
          ? undefined
          : { url: `${url}&${TRIES_PARAMETER}=${tries + 1}`, seconds: secondsAfter(tries) },
        url,
      );
  }
};

/**
 * Shows the state of the run behind a form: its next page, its end, or that it is still running.
 * @throws ServiceError
 */
export const showOutcome = async (
  response: ServerResponse,
  polled: StartedExecution | undefined,
  view: OutcomeView,
): Promise<void> => {
  const outcome = outcomeOf(polled);
  const executionId = polled?.executionId ?? '';
  nameExecution(response, executionId);
  if (outcome.kind === 'page') return leadTo(response, outcome.token);
  if (outcome.kind === 'answer') {
    guardWebhookAnswer(response);
    return writeRunAnswer(response, executionId, outcome.answer, view.clients);
  }
  const wanted = outcome.kind === 'file' ? outcome.files[view.wantedFile - 1] : undefined;
  if (wanted !== undefined) return writeFile(response, executionId, wanted, view.clients);
  writePage(response, { css: view.css, isGuarded: view.isGuarded, ...pageOf(outcome, view) });
};
