import type { WaitSettings } from '@weft/proto/channels';
import type { FormField } from '@weft/node-catalogue';
import { readFormFields } from '@weft/node-catalogue';
import type { Item, NodeContext } from '@weft/engine';
import { checkPage, pageFields } from '../form/page-wait';
import { formItem } from '../form-trigger/form-item';
import { textParameter } from '../shared/read-parameter';

/** The only field of a page that asks for a string. */
const TEXT_FIELD = 'text';

/** Fields of the page: a string, or the fields that the node defines. */
export type AskedFor = 'freeText' | 'customForm';

/** Options of a wait for the page. @throws NodeFailure if it is too large, or its fields cannot be read */
export function pageSettings(context: NodeContext, asked: AskedFor, suffix: string): WaitSettings {
  const own = (name: string, fallback: string): string => textParameter(context, `options.${name}`, 0) || fallback;
  const page = checkPage({
    title: own('responseFormTitle', textParameter(context, 'subject', 0)),
    description: own('responseFormDescription', textParameter(context, 'message', 0)),
    button: own('responseFormButtonLabel', 'Submit'),
    css: textParameter(context, 'options.responseFormCustomCss', 0),
    fields: fieldsOf(context, asked),
  });
  const callers = { authentication: 'none', credentialId: '', ipWhitelist: [], ignoreBots: true };
  return { suffix, channel: { $case: 'form', value: { callers, page, leadsOn: false } } };
}

/** The item made from a submission: `{ data }` with the string, or with the values of the fields. */
export function answerItem(context: NodeContext, asked: AskedFor, sent: Item): Item {
  const { json, binary } = formItem(sent, fieldsOf(context, asked), { submittedAt: '', formMode: 'production' });
  const { submittedAt: _submittedAt, formMode: _formMode, formQueryParameters: _query, ...values } = json;
  return { json: { data: values }, ...(binary === undefined ? {} : { binary }) };
}

function fieldsOf(context: NodeContext, asked: AskedFor): FormField[] {
  return asked === 'customForm'
    ? pageFields(context)
    : readFormFields([{ fieldLabel: TEXT_FIELD, fieldType: 'textarea', requiredField: true }], context.version).map(
        (field) => ({ ...field, label: 'Response' }),
      );
}
