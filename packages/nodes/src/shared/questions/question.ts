import { type NodeContext, NodeFailure } from '@weft/engine';
import { choiceParameter, textParameter } from '../read-parameter';

/** Form of the response: a click on a button, a string, or a form. */
export const RESPONSE_TYPES = ['approval', 'freeText', 'customForm'] as const;
export type ResponseType = (typeof RESPONSE_TYPES)[number];

/** Labels of the buttons if the node has a group of settings for them that does not set them. */
export interface ButtonLabels {
  readonly approve: string;
  readonly disapprove: string;
}

/** A button of a message: a link to the page on which the person responds. */
export interface Button {
  readonly label: string;
  readonly url: string;
  readonly style: 'primary' | 'secondary';
  /** Whether the button approves; true for a button that opens a form. */
  readonly approved: boolean;
}

/** A message that asks for a response. */
export interface Question {
  readonly subject: string;
  readonly message: string;
  readonly buttons: readonly Button[];
}

const APPROVAL = 'approvalOptions.values';
/** Query parameter of the links that names the button, and field of the page that has its value. */
export const APPROVED = 'approved';
/** Query parameter of the links with the end of the wait in Unix seconds, for a page that says that it is over. */
const EXPIRES = 'expires';

/** The response type of the node. @throws NodeFailure for an unknown one */
export function responseTypeOf(context: NodeContext): ResponseType {
  return choiceParameter(context, 'responseType', 0, RESPONSE_TYPES, 'approval');
}

/**
 * The message of the node, for its first item.
 * @param at end of the wait in Unix milliseconds
 * @throws NodeFailure if the run has no public URL
 */
export function questionOf(context: NodeContext, labels: ButtonLabels, at: number | undefined): Question {
  return {
    subject: plainText(textParameter(context, 'subject', 0)),
    message: questionText(context),
    buttons: choicesOf(context, labels).map((choice) => ({ ...choice, url: linkOf(context, choice.approved, at) })),
  };
}

/** The message as text, in which `\n` and `<br>` are line breaks. */
export function questionText(context: NodeContext): string {
  return plainText(textParameter(context, 'message', 0).trim())
    .replaceAll('\\n', '\n')
    .replaceAll('<br>', '\n');
}

/** The buttons of the message, in their order, without their links. */
export function choicesOf(context: NodeContext, labels: ButtonLabels): readonly Omit<Button, 'url'>[] {
  if (responseTypeOf(context) !== 'approval') {
    const label = textParameter(context, 'options.messageButtonLabel', 0) || 'Respond';
    return [{ label, style: 'primary', approved: true }];
  }
  const isSet = context.rawParameter(APPROVAL) !== undefined;
  const label = (name: 'approve' | 'disapprove', empty: string): string => {
    const path = `${APPROVAL}.${name}Label`;
    return plainText(textParameter(context, path, 0, isSet ? labels[name] : empty)) || empty;
  };
  const style = (name: string, initial: Button['style']): Button['style'] => {
    const given = textParameter(context, `${APPROVAL}.${name}`, 0) || initial;
    return given === 'secondary' ? 'secondary' : 'primary';
  };
  const approve = {
    label: label('approve', 'Approve'),
    style: style('buttonApprovalStyle', 'primary'),
    approved: true,
  };
  if (choiceParameter(context, `${APPROVAL}.approvalType`, 0, ['single', 'double'], 'single') === 'single')
    return [approve];
  const disapprove = {
    label: label('disapprove', 'Disapprove'),
    style: style('buttonDisapprovalStyle', 'secondary'),
    approved: false,
  };
  return [disapprove, approve];
}

/** The URL ends with the node and its run, so that the buttons of an earlier message do not respond to a later one. */
export function suffixOf({ node, runIndex }: Pick<NodeContext, 'node' | 'runIndex'>): string {
  return `${Buffer.from(node.name).toString('base64url').slice(0, 60)}-${runIndex}`;
}

function linkOf(context: NodeContext, approved: boolean, at: number | undefined): string {
  const { resumeFormUrl } = context.scope(0).execution;
  if (resumeFormUrl === undefined)
    throw new NodeFailure('A button needs the public URL of the service. The operator must set PUBLIC_URL.');
  const expires = at === undefined ? '' : `&${EXPIRES}=${Math.floor(at / 1_000)}`;
  return `${resumeFormUrl}/${suffixOf(context)}?${APPROVED}=${approved}${expires}`;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&#39;', "'"],
  ['&quot;', '"'],
]);

/** The text, with characters in place of its HTML entities. */
const plainText = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|#39|quot);/g, (entity) => ENTITIES.get(entity) ?? entity);
