import type { JsonObject } from '@weft/node-catalogue';
import { field, webhookSettingsOf } from '@weft/node-catalogue';
import type { CallerRequest, NodeContext, NodeResult } from '../../engine/node';
import { output } from '../../engine/node';
import { NodeFailure } from '../../engine/node-failure';
import { resumeTokenOf } from '../../engine/run-memory';
import { choiceParameter, textParameter } from '../read-parameter';
import { endAfter, endAt, type WaitContext } from '../wait/end-of-wait';
import { type Button, questionBody } from './approval-mail';
import { deliverMail } from './deliver-mail';
import { mailHead } from './read-mail';

const LIMIT = 'options.limitWaitTime.values';
const APPROVAL = 'approvalOptions.values';
const DEFAULTS: Readonly<Record<string, unknown>> = { [`${LIMIT}.resumeAmount`]: 45, [`${LIMIT}.resumeUnit`]: 'minutes' };
const THANKS = '<!DOCTYPE html><title>Got it</title><p>Got it, thanks. This page can be closed now.</p>';

/**
 * Sends one mail with buttons, for the first item, and waits until somebody presses one: `{ data: { approved } }` is the
 * item then. When the time for an answer is over, the node's own items pass through.
 * @throws NodeFailure if the mail cannot be sent
 */
export async function sendAndWait(context: NodeContext): Promise<NodeResult> {
  if (context.resumed !== undefined) {
    delete context.memory['asked'];
    return context.resumed.kind === 'webhook' ? output([{ json: { data: { approved: isApproved(context.resumed.item.json) } } }]) : output(context.items.map((item, index) => ({ ...item, pairedItem: { item: index } })));
  }
  choiceParameter(context, 'responseType', 0, ['approval'], 'approval');
  const known = context.memory['asked'];
  // A run that goes on elsewhere before the answer came has sent the mail already.
  if (typeof known === 'number') return { kind: 'wait', await: waitFor(context, known === 0 ? undefined : known) };
  const at = limitOf(context);
  await ask(context);
  context.memory['asked'] = at ?? 0;
  return { kind: 'wait', await: waitFor(context, at) };
}

async function ask(context: NodeContext): Promise<void> {
  const head = mailHead(context, 0, { cc: 'options.ccEmail', bcc: 'options.bccEmail' });
  const { resumeUrl } = context.scope(0).execution;
  if (resumeUrl === undefined) throw new NodeFailure('The run has no address that a button could lead to. Whoever operates the service sets PUBLIC_URL.');
  const url = (approved: boolean): string => `${resumeUrl}/${suffixOf(context)}?approved=${approved}`;
  const label = (name: string, fallback: string): string => textParameter(context, `${APPROVAL}.${name}`, 0) || fallback;
  const isDouble = choiceParameter(context, `${APPROVAL}.approvalType`, 0, ['single', 'double'], 'single') === 'double';
  const buttons: Button[] = [
    ...(isDouble ? [{ label: label('disapproveLabel', 'Decline'), url: url(false) }] : []),
    { label: label('approveLabel', 'Approve'), url: url(true) },
  ];
  await deliverMail(context, { ...head, ...questionBody(textParameter(context, 'message', 0), buttons), attachments: [] }, 0);
}

/** The address ends with the node and its run, so that the buttons of an earlier mail answer no later one. */
function suffixOf({ node, runIndex }: NodeContext): string {
  return `${Buffer.from(node.name).toString('base64url').slice(0, 60)}-${runIndex}`;
}

function waitFor(context: NodeContext, at: number | undefined): CallerRequest {
  const parameters: JsonObject = { httpMethod: 'GET', authentication: 'none', responseMode: 'onReceived', options: { responseData: THANKS, responseContentType: 'text/html; charset=utf-8', ignoreBots: true } };
  const settings: JsonObject = JSON.parse(JSON.stringify(webhookSettingsOf({ ...context.node, type: 'weft-nodes-base.webhook', typeVersion: 2, parameters })));
  return { kind: 'webhook', token: resumeTokenOf(context.runMemory), settings: { ...settings, door: 'webhook', suffix: suffixOf(context) }, ...(at === undefined ? {} : { at }) };
}

/** Unix milliseconds; undefined: there is no limit. */
function limitOf(context: NodeContext): number | undefined {
  if (context.rawParameter(LIMIT) === undefined) return undefined;
  const within: WaitContext = { parameter: (path, index) => context.parameter(path, index) ?? DEFAULTS[path], timezone: context.timezone, ports: context.ports };
  const type = choiceParameter(context, `${LIMIT}.limitType`, 0, ['afterTimeInterval', 'atSpecifiedTime'], 'afterTimeInterval');
  return type === 'afterTimeInterval' ? endAfter(within, `${LIMIT}.resumeAmount`, `${LIMIT}.resumeUnit`) : endAt(within, `${LIMIT}.maxDateAndTime`);
}

function isApproved(call: JsonObject): boolean {
  return String(field(field(call, 'query') ?? null, 'approved')) === 'true';
}
