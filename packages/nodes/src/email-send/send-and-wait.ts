import type { JsonObject } from '@weft/node-catalogue';
import { field } from '@weft/node-catalogue';
import { webhookSettingsOf } from '../definitions/webhook-settings';
import {
  type CallerRequest,
  type Item,
  type NodeContext,
  NodeFailure,
  type NodeResult,
  output,
  resumeTokenOf,
} from '@weft/engine';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { endAfter, endAt, type WaitContext } from '../wait/end-of-wait';
import { answerItem, pageSettings } from './answer-form';
import { type Button, questionBody } from './question-mail';
import { deliverMail } from './deliver-mail';
import { mailHead } from './read-mail';

const LIMIT = 'options.limitWaitTime.values';
const APPROVAL = 'approvalOptions.values';
const THANKS = '<!DOCTYPE html><title>Got it</title><p>Got it, thanks. This page can be closed now.</p>';

/** Form of the response: a click on a button, a string, or a form. */
const QUESTIONS = ['approval', 'freeText', 'customForm'] as const;
type Question = (typeof QUESTIONS)[number];

/**
 * Sends one mail with buttons, for the first item, and waits for the response: a click on a button, or a submitted
 * page. The item is then `{ data }`, with `approved`, with `text`, or with the values of the page. After the time limit
 * the node's input items pass through.
 * @throws NodeFailure if the mail cannot be sent
 */
export async function sendAndWait(context: NodeContext): Promise<NodeResult> {
  const question = choiceParameter(context, 'responseType', 0, QUESTIONS, 'approval');
  if (context.resume !== undefined) {
    delete context.memory['asked'];
    return output(
      context.resume.kind === 'webhook'
        ? [answerOf(context, question, context.resume.item)]
        : context.items.map((item, index) => ({ ...item, pairedItem: { item: index } })),
    );
  }
  const known = context.memory['asked'];
  // A run that resumes on another runner before the response has already sent the mail.
  if (typeof known === 'number')
    return { kind: 'wait', wait: waitFor(context, question, known === 0 ? undefined : known) };
  const at = limitOf(context);
  const request = waitFor(context, question, at);
  const body = questionBody(textParameter(context, 'message', 0), buttonsFor(context, question));
  await deliverMail(
    context,
    { ...mailHead(context, 0, { cc: 'options.ccEmail', bcc: 'options.bccEmail' }), ...body, attachments: [] },
    0,
  );
  context.memory['asked'] = at ?? 0;
  return { kind: 'wait', wait: request };
}

function answerOf(context: NodeContext, question: Question, sent: Item): Item {
  return question === 'approval'
    ? { json: { data: { approved: isApproved(sent.json) } } }
    : answerItem(context, question, sent);
}

function buttonsFor(context: NodeContext, question: Question): Button[] {
  const { resumeUrl, resumeFormUrl } = context.scope(0).execution;
  if (resumeUrl === undefined || resumeFormUrl === undefined)
    throw new NodeFailure('A button needs the public URL of the service. The operator must set PUBLIC_URL.');
  const suffix = suffixOf(context);
  if (question !== 'approval')
    return [
      {
        label: textParameter(context, 'options.messageButtonLabel', 0) || 'Respond',
        url: `${resumeFormUrl}/${suffix}`,
      },
    ];
  const url = (approved: boolean): string => `${resumeUrl}/${suffix}?approved=${approved}`;
  const label = (name: string, fallback: string): string =>
    textParameter(context, `${APPROVAL}.${name}`, 0) || fallback;
  const isDouble = choiceParameter(context, `${APPROVAL}.approvalType`, 0, ['single', 'double'], 'single') === 'double';
  return [
    ...(isDouble ? [{ label: label('disapproveLabel', 'Decline'), url: url(false) }] : []),
    { label: label('approveLabel', 'Approve'), url: url(true) },
  ];
}

/** The URL ends with the node and its run, so that the buttons of an earlier mail do not respond to a later one. */
function suffixOf({ node, runIndex }: NodeContext): string {
  return `${Buffer.from(node.name).toString('base64url').slice(0, 60)}-${runIndex}`;
}

function waitFor(context: NodeContext, question: Question, at: number | undefined): CallerRequest {
  const settings =
    question === 'approval' ? pressSettings(context) : pageSettings(context, question, suffixOf(context));
  return { kind: 'webhook', token: resumeTokenOf(context.runMemory), settings, ...(at === undefined ? {} : { at }) };
}

function pressSettings(context: NodeContext): CallerRequest['settings'] {
  const parameters: JsonObject = {
    httpMethod: 'GET',
    authentication: 'none',
    responseMode: 'onReceived',
    options: { responseData: THANKS, responseContentType: 'text/html; charset=utf-8', ignoreBots: true },
  };
  const webhook = { ...context.node, type: 'weft-nodes-base.webhook', typeVersion: 2, parameters };
  return {
    suffix: suffixOf(context),
    channel: { $case: 'webhook', value: { settings: webhookSettingsOf(webhook), methods: ['GET'] } },
  };
}

/** Unix milliseconds; undefined: no limit. */
function limitOf(context: NodeContext): number | undefined {
  if (context.rawParameter(LIMIT) === undefined) return undefined;
  const within: WaitContext = {
    parameter: (path, index) => context.parameter(path, index) ?? context.defaultOf(path),
    defaultOf: (path) => context.defaultOf(path),
    timezone: context.timezone,
    ports: context.ports,
  };
  const type = choiceParameter(
    context,
    `${LIMIT}.limitType`,
    0,
    ['afterTimeInterval', 'atSpecifiedTime'],
    'afterTimeInterval',
  );
  return type === 'afterTimeInterval'
    ? endAfter(within, `${LIMIT}.resumeAmount`, `${LIMIT}.resumeUnit`)
    : endAt(within, `${LIMIT}.maxDateAndTime`);
}

function isApproved(call: JsonObject): boolean {
  return String(field(field(call, 'query') ?? null, 'approved')) === 'true';
}
