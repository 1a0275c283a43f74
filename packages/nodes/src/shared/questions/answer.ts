import type { FormButton, WaitSettings } from '@weft/proto/channels';
import { field, type FormField, type JsonObject, readFormFields } from '@weft/node-catalogue';
import type { Item, NodeContext } from '@weft/engine';
import { formEnd } from '../../definitions/form-settings';
import { checkPage, pageFields } from '../../form/page-wait';
import { submittedAt } from '../../form-trigger/executor';
import { formItem } from '../../form-trigger/form-item';
import { textParameter } from '../read-parameter';
import {
  APPROVED,
  type ButtonLabels,
  choicesOf,
  questionText,
  type ResponseType,
  responseTypeOf,
  suffixOf,
} from './question';

/** The only field of a page that asks for a string. */
const TEXT_FIELD = 'text';
const THANKS = 'Got it, thanks. This page can be closed now.';

/**
 * Options of a wait for the response on a page. An approval is a page too, which shows the button that was clicked in
 * the message: programs that follow links to preview or scan them approve nothing.
 * @throws NodeFailure if the page is too large, or its fields cannot be read
 */
export function answerSettings(context: NodeContext, labels: ButtonLabels): WaitSettings {
  const type = responseTypeOf(context);
  const own = (name: string, fallback: string): string => textParameter(context, `options.${name}`, 0) || fallback;
  const subject = textParameter(context, 'subject', 0);
  const buttons = choicesOf(context, labels).map(({ label, approved }) => ({ value: String(approved), label }));
  const page = checkPage({
    title: own('responseFormTitle', subject || (type === 'approval' ? 'Please confirm' : 'Your response')),
    description: own('responseFormDescription', questionText(context)),
    button: own('responseFormButtonLabel', 'Submit'),
    css: textParameter(context, 'options.responseFormCustomCss', 0),
    fields: fieldsOf(context, type, buttons),
  });
  const callers = { authentication: 'none', credentialId: '', ipWhitelist: [], ignoreBots: true };
  const value = {
    callers,
    page,
    leadsOn: false,
    end: formEnd('text', THANKS),
    ...(type === 'approval' ? { choice: { buttons } } : {}),
  };
  return { suffix: suffixOf(context), channel: { $case: 'form', value } };
}

/** The item made from a response: `{ data }` with `approved`, with `text`, or with the values of the form. */
export function answerItem(context: NodeContext, sent: Item): Item {
  const type = responseTypeOf(context);
  const respondedAt = submittedAt(context, sent, false);
  if (type === 'approval') return { json: { data: { approved: isApproved(sent.json), respondedAt } } };
  const { json, binary } = formItem(sent, fieldsOf(context, type), { submittedAt: '', formMode: 'production' });
  const { submittedAt: _submittedAt, formMode: _formMode, formQueryParameters: _query, ...values } = json;
  return { json: { data: { ...values, respondedAt } }, ...(binary === undefined ? {} : { binary }) };
}

/** Links of waits that the previous release began have the answer in their query. */
function isApproved(sent: JsonObject): boolean {
  const answers = ['body', 'query'].map((part) => field(field(sent, part) ?? null, APPROVED));
  return answers.find((answer) => answer !== undefined) === 'true';
}

/** The fields of the page. @param buttons those of an approval, whose values are the choices */
function fieldsOf(context: NodeContext, type: ResponseType, buttons: readonly FormButton[] = []): FormField[] {
  if (type === 'customForm') return pageFields(context);
  const values = buttons.map(({ value }) => ({ option: value }));
  const only: JsonObject =
    type === 'freeText'
      ? { fieldLabel: TEXT_FIELD, fieldType: 'textarea', requiredField: true }
      : { fieldLabel: APPROVED, fieldType: 'radio', requiredField: true, fieldOptions: { values } };
  const label = type === 'freeText' ? 'Response' : 'Approved';
  return readFormFields([only], context.version).map((one) => ({ ...one, label }));
}
