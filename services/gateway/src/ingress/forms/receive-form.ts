import type { FormPage, FormSettings } from '@weft/proto/channels';
import type { ResolvedWebhook } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { RequestListener } from 'node:http';
import { WebhookNotFound } from '../../errors';
import { nameExecution } from '../../http/execution-header';
import { checkMessageSize } from '../../http/message-size';
import { contentDigest, type ContentHashes, createStoreFile } from '../../uploads/store-file';
import type { IngressOptions } from '../open-ingress';
import { checkCaller, isGuarded } from '../webhooks/check-caller';
import { hookStart } from '../webhooks/start-from-webhook';
import { checkAnswers } from './check-answers';
import { checkOrigin, countOf, type FormCall, openFormIngress, PAGE_WAIT_MS } from './form-ingress';
import { EMPTY_PAGE } from './form-page';
import { errorsWithFiles, formItems, valuesAgain, valuesAtFirst } from './form-values';
import { writePage } from './page-shell';
import { readSubmission } from './read-submission';
import { formPage } from './render-form';
import { endPage, FILE_PARAMETER, showOutcome, TRIES_PARAMETER } from './show-outcome';
import { isSubmissionId, newSubmissionId, type Submission } from './submission';

const ROOT = '/form/';

/** Query parameter, after a form was submitted, with the id of the form's rendering. */
const SENT_PARAMETER = 'weft-sent';

interface OpenForm extends FormCall {
  readonly webhook: ResolvedWebhook;
  readonly settings: FormSettings;
  readonly page: FormPage;
}

const keyOf = (submission: string): string => `form-${submission}`;

const sentUrl = (raw: string, submission: string): string => `${ROOT}${raw}?${SENT_PARAMETER}=${submission}`;

const pathOf = (raw: string): string => {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new WebhookNotFound('GET', raw, []);
  }
};

const show = (
  { request, response, settings, page, query }: OpenForm,
  submission?: Submission,
  errors: ReadonlyMap<number, string> = new Map(),
): void => {
  const values = submission === undefined ? valuesAtFirst(page, query) : valuesAgain(page, submission);
  const shown = formPage({
    page,
    action: request.url ?? '',
    submission: submission?.id ?? newSubmissionId(),
    values,
    errors,
  });
  writePage(response, {
    ...shown,
    status: errors.size === 0 ? 200 : 400,
    isGuarded: isGuarded(settings.callers),
  });
};

/** State of the run started by a form. If the form responds immediately, nothing is polled. */
const showAfterwards = async (
  { response, options, webhook, settings, page, raw, query }: OpenForm,
  submission: string,
): Promise<void> => {
  const { clients } = options;
  const { end, hasPages, responseMode } = settings;
  const view = {
    url: sentUrl(raw, submission),
    tries: countOf(query, TRIES_PARAMETER),
    wantedFile: countOf(query, FILE_PARAMETER),
    end,
    css: page.css,
    isGuarded: isGuarded(settings.callers),
    clients,
  };
  if (responseMode === 'onReceived' && !hasPages)
    return writePage(response, { ...endPage(end), css: view.css, isGuarded: view.isGuarded });
  const trail = {
    resumeToken: '',
    workflowId: webhook.workflowId,
    startNode: webhook.node,
    idempotencyKey: keyOf(submission),
    waitMs: PAGE_WAIT_MS,
  };
  const { polled } = await clients.executions.calls.pollExecution(trail, {
    waits: true,
    deadlineMs: 2 * PAGE_WAIT_MS,
  });
  await showOutcome(response, polled, view);
};

const take = async (open: OpenForm): Promise<void> => {
  const { request, response, options, settings, page, query, raw } = open;
  if (isGuarded(settings.callers)) checkOrigin(open);
  const executionId = uuidv7();
  const { clients, readBody, gateOf } = options;
  const gate = gateOf(request, response);
  const hashes: ContentHashes = new Map();
  const submission = await readSubmission(request, response, {
    readBody,
    gate,
    storeFile: createStoreFile(clients, executionId, hashes),
  });
  const { errors, body, binary } = checkAnswers(page.fields, submission);
  if (errors.size > 0) return show(open, submission, errorsWithFiles(page, errors, submission));
  const input = formItems(body, binary, query, new Date());
  checkMessageSize(input.length);
  const digest = contentDigest(Object.entries(binary), hashes);
  const call = { webhook: open.webhook, input: input, idempotencyKey: keyOf(submission.id), executionId };
  const start = hookStart({ ...call, ...(digest === undefined ? {} : { contentDigest: digest }) });
  nameExecution(response, (await clients.executions.start(start)).executionId);
  // A separate page, so that reloading it submits nothing again.
  if (!response.headersSent)
    response
      .writeHead(303, { location: sentUrl(raw, submission.id), 'cache-control': 'no-store', 'content-length': 0 })
      .end();
};

const receive = async (call: FormCall): Promise<void> => {
  const { request, response, options, raw, query, isSent } = call;
  const path = pathOf(raw);
  const webhook = await options.clients.workflows.resolveWebhook({ method: 'FORM', path });
  if (!webhook.found) throw new WebhookNotFound('FORM', path, []);
  if (webhook.settings?.$case !== 'form')
    throw new InternalError(new Error('The form was resolved without its settings.'));
  const settings = webhook.settings.value;
  await checkCaller(request, response, webhook, settings.callers, options);
  const open = { ...call, webhook, settings, page: settings.page ?? EMPTY_PAGE };
  const sent = query.get(SENT_PARAMETER) ?? '';
  if (isSent) return take(open);
  return isSubmissionId(sent) ? showAfterwards(open, sent) : show(open);
};

/**
 * Handles requests to /form/<path>: shows the form of an active workflow, and starts a run when it is submitted.
 * Requires no API key; errors are pages.
 */
export const createFormReceiver = (options: IngressOptions): RequestListener =>
  openFormIngress({ root: ROOT, isSecret: false }, options, receive);
