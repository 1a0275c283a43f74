import type { Json } from '@weft/node-catalogue';
import { type Item, NodeFailure } from '@weft/engine';
import { OutboundError, type OutboundResponse } from '@weft/outbound';
import { isSuccess, sendRequest } from '../shared/http/request/send-request';
import { RequestFailed, statusFailure } from '../shared/http/request-failed';
import { decodeText } from '../shared/http/response/decode-text';
import { parseLongJsonText } from '../shared/http/response/parse-json-text';
import { contentTypeOf, headersOf } from '../shared/http/response/read-response';
import { redactor } from '../shared/http/response/redact';
import type { RequestSettings } from '../shared/http/settings';
import type { AppCredential, CallRun } from './app-run';
import { additionsOf } from './build-call';
import { givesFile, type PreparedError, type PreparedRequest } from './prepare-request';
import type { TemplateScope } from './template-scope';

/** Number of times a request is sent again. */
const MAX_RETRIES = 5;
/** Longest delay in milliseconds that is waited for while the run holds its slot. */
const MAX_DELAY_IN_PLACE_MS = 10_000;
/** Delays that the service does not give: the first, doubled with each try up to the longest. */
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 8_000;
const MAX_TEXT = 200;

/** A response that counts as a success. */
export interface CallResponse {
  readonly response: OutboundResponse;
  /** `$response`: `{ status, headers, body }`; the body of a file is null. */
  readonly root: { readonly status: number; readonly headers: Json; readonly body: Json };
}

/** The service asks for a delay that is too long to wait for in place. */
export class LongDelay extends Error {
  constructor(
    /** Milliseconds. */
    readonly ms: number,
    /** Failure of the item if it does not wait. */
    readonly failure: Error,
  ) {
    super('The service asks for a delay.');
  }
}

/** The item for which a request is sent. */
export interface CallTarget {
  readonly run: CallRun;
  readonly itemIndex: number;
  readonly scope: TemplateScope;
  readonly credential: AppCredential | undefined;
}

/**
 * Sends a request and, if the service asks for it or the connection breaks, sends it again.
 * @throws NodeFailure if the service refuses it, LongDelay if it must be sent later
 */
export async function sendCall(
  request: PreparedRequest,
  settings: RequestSettings,
  target: CallTarget,
): Promise<CallResponse> {
  const { clock } = target.run.context.ports;
  for (let tries = 0; ; tries += 1) {
    const outcome = await sendOnce(request, settings, target, tries);
    if (outcome.kind === 'accepted') return outcome;
    if (outcome.delayMs === undefined || tries >= MAX_RETRIES) throw outcome.failure;
    if (outcome.delayMs > MAX_DELAY_IN_PLACE_MS) throw new LongDelay(outcome.delayMs, outcome.failure);
    await clock.sleep(outcome.delayMs, target.run.context.signal);
  }
}

type Outcome =
  | (CallResponse & { readonly kind: 'accepted' })
  | {
      readonly kind: 'refused';
      readonly failure: Error;
      /** Absent: sending it again does not help. */
      readonly delayMs?: number;
    };

async function sendOnce(
  request: PreparedRequest,
  settings: RequestSettings,
  target: CallTarget,
  tries: number,
): Promise<Outcome> {
  const { run, itemIndex } = target;
  const additions = additionsOf(request, target.credential, settings);
  // Only failures need it, and it is costly.
  const redact = (text: string): string => redactor(additions.secrets())(text);
  const sent = await sendOrBreak(request, settings, target, additions, tries);
  if (!('status' in sent)) return sent;
  run.budget.spend(sent.body.length);
  const isFile = givesFile(request) && isSuccess(sent);
  const body = isFile ? null : await bodyOf(request, sent, run);
  if (body === undefined) {
    if (!isSuccess(sent)) return refused(statusFailure(sent, itemIndex, redact, { format: 'json' }), sent, tries);
    return { kind: 'refused', failure: notJson(sent, run, itemIndex, redact) };
  }
  const accepted = { response: sent, root: { status: sent.status, headers: headersOf(sent), body } };
  const scope = target.scope.with({ $response: accepted.root });
  const hasFailed = !isSuccess(sent) || (!isFile && request.failed?.holds(scope) === true);
  if (!hasFailed) return { kind: 'accepted', ...accepted };
  const rule = request.errors.find(({ when }) => when === undefined || when.holds(scope));
  if (rule?.isIgnored === true) return { kind: 'accepted', ...accepted };
  const failure = failureOf(rule?.message?.text(scope), sent, body, run, itemIndex, redact);
  if (rule?.isRetried === true) return { kind: 'refused', failure, delayMs: askedDelay(rule, scope, sent, tries) };
  return refused(failure, sent, tries);
}

async function sendOrBreak(
  request: PreparedRequest,
  settings: RequestSettings,
  { run, itemIndex }: CallTarget,
  credential: ReturnType<typeof additionsOf>,
  tries: number,
): Promise<OutboundResponse | Outcome> {
  const { context, budget } = run;
  const item: Item | undefined = context.items[itemIndex];
  try {
    return await sendRequest(
      context.ports.http,
      settings,
      {
        credential,
        format: givesFile(request) ? 'file' : 'json',
        item,
        files: context.ports.files,
        signal: context.signal,
        maxResponseBytes: budget.limit(),
      },
      itemIndex,
    );
  } catch (thrown) {
    if (!request.isRepeatable || !isBroken(thrown)) throw thrown;
    return { kind: 'refused', failure: thrown, delayMs: backoff(tries) };
  }
}

/** True for a connection that ended before the response. */
function isBroken(thrown: unknown): thrown is RequestFailed {
  if (!(thrown instanceof RequestFailed) || !(thrown.cause instanceof OutboundError)) return false;
  return thrown.cause.code === 'CONNECTION_LOST' || thrown.cause.code === 'CONNECTION_REFUSED';
}

/** The body as JSON; undefined if it is not JSON. A response without content has an empty object. */
async function bodyOf(
  { isText }: PreparedRequest,
  response: OutboundResponse,
  { context }: CallRun,
): Promise<Json | undefined> {
  const text = decodeText(response.body, contentTypeOf(response));
  if (isText) return text;
  if (text.trim() === '') return {};
  try {
    return await parseLongJsonText(text, () => context.pause());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function notJson(
  response: OutboundResponse,
  { app }: CallRun,
  itemIndex: number,
  redact: (text: string) => string,
): NodeFailure {
  const start = redact(decodeText(response.body, contentTypeOf(response)).slice(0, MAX_TEXT));
  return new NodeFailure(`${app.label} did not answer with JSON (status ${response.status}).`, {
    itemIndex,
    description: `The response begins with: ${start}`,
  });
}

/** The failure for a response: with the message of the app, else that of its status. */
function failureOf(
  message: string | undefined,
  response: OutboundResponse,
  body: Json,
  { app }: CallRun,
  itemIndex: number,
  redact: (text: string) => string,
): Error {
  const byStatus = statusFailure(response, itemIndex, redact, { format: 'json' });
  if (message === undefined && !isSuccess(response)) return byStatus;
  const text = redact(message ?? `${app.label} refused the request: ${JSON.stringify(body).slice(0, MAX_TEXT)}`);
  const { description, itemError } = byStatus;
  const described = description === undefined || description === text ? {} : { description };
  return new RequestFailed(text, { ...itemError, message: text }, { itemIndex, ...described }, body);
}

/** 429 and 503 ask for another try. */
function refused(failure: Error, response: OutboundResponse, tries: number): Outcome {
  if (response.status !== 429 && response.status !== 503) return { kind: 'refused', failure };
  return { kind: 'refused', failure, delayMs: retryAfter(response) ?? backoff(tries) };
}

function askedDelay(rule: PreparedError, scope: TemplateScope, response: OutboundResponse, tries: number): number {
  const seconds = Number(rule.after?.json(scope) ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  return retryAfter(response) ?? backoff(tries);
}

/** Milliseconds until the time that the header Retry-After gives, in seconds or as a date. */
function retryAfter(response: OutboundResponse): number | undefined {
  const header = response.headers['retry-after'];
  if (typeof header !== 'string') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  const sentAt = response.headers['date'];
  const ms = Date.parse(header) - Date.parse(typeof sentAt === 'string' ? sentAt : '');
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

const backoff = (tries: number): number => Math.min(FIRST_DELAY_MS * 2 ** tries, LONGEST_DELAY_MS);
