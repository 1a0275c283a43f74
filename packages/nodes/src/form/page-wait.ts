import type { FormPage, FormWait } from '@weft/proto/channels';
import type { FormField, JsonObject } from '@weft/node-catalogue';
import { MAX_FORM_FIELDS, listField, readFormFields, textField } from '@weft/node-catalogue';
import { type CallerRequest, type Item, type NodeContext, NodeFailure, resumeTokenOf } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { submittedAt } from '../form-trigger/executor';
import { formItem } from '../form-trigger/form-item';
import { textParameter } from '../shared/read-parameter';
import { limitOf } from '../wait/caller-wait';
import { formAnswer } from './form-answer';
import { lookOf } from './form-look';
import { readJsonFields } from './json-fields';

/** Paths of the parameters of a page: a Form node has its title in the options, a Wait node at the top level. */
export interface PageParameters extends Pick<FormWait, 'callers' | 'leadsOn' | 'end'> {
  readonly title: string;
  readonly description: string;
  readonly suffix: string;
}

/** Limit in characters of a page with all its fields, enforced by the executions service. */
const MAX_PAGE = 400_000;

/** The fields of the page, with expressions resolved for the first item. @throws NodeFailure */
export function pageFields(context: NodeContext): FormField[] {
  const values =
    textParameter(context, 'defineForm', 0, 'fields') === 'json'
      ? readJsonFields(context)
      : listField(toJson(context.parameter('formFields', 0)), 'values');
  if (values.length > MAX_FORM_FIELDS)
    throw new NodeFailure(`A page can have at most ${MAX_FORM_FIELDS} fields; this one has ${values.length}`);
  return readFormFields(values, context.version);
}

/** The page, within the limit of the executions service. @throws NodeFailure if it is too large */
export function checkPage(page: FormPage): FormPage {
  if (JSON.stringify(page).length <= MAX_PAGE) return page;
  throw new NodeFailure('The page is too large. Use fewer choices or less HTML.');
}

/**
 * The wait for the submission of the page at /form-waiting/<token>. Callers that wait for the run are redirected there.
 * @throws NodeFailure
 */
export function waitForPage(context: NodeContext, where: PageParameters): CallerRequest {
  const look = lookOf(context);
  const own = (path: string, initial = ''): string => textParameter(context, path, 0) || initial;
  const page = checkPage({
    title: own(where.title, look.title),
    description: own(where.description),
    button: own('options.buttonLabel', look.button),
    css: own('options.customCss', look.css),
    fields: pageFields(context).map((field) => filledIn(field, look.query)),
  });
  const { suffix, callers, leadsOn, end } = where;
  const token = resumeTokenOf(context.runMemory);
  const until = context.memory['until'];
  const at = typeof until === 'number' ? until : limitOf(context);
  if (at !== undefined) context.memory['until'] = at;
  return {
    kind: 'webhook',
    token,
    settings: { suffix, channel: { $case: 'form', value: { callers, page, leadsOn, end } } },
    announce: formAnswer({ kind: 'page', token }),
    ...(at === undefined ? {} : { at }),
  };
}

/** A field with its initial value from the URL of the first page, as for fields of that page. */
function filledIn(field: FormField, query: JsonObject): FormField {
  const asked = field.type === 'html' || field.type === 'password' ? undefined : textField(query, field.name);
  return asked === undefined ? field : { ...field, initial: asked };
}

/**
 * The items after the wait: the submitted values or, after the time limit, the input.
 * @param usesTimezone whether the submission time is in the zone of the workflow or in UTC
 */
export function afterPage(context: NodeContext, usesTimezone: boolean): readonly Item[] {
  delete context.memory['until'];
  if (context.resume?.kind !== 'webhook')
    return context.items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
  const { item } = context.resume;
  const formMode = context.mode === 'manual' ? 'test' : 'production';
  const moment = { submittedAt: submittedAt(context, item, usesTimezone), formMode } as const;
  return [formItem(item, pageFields(context), moment)];
}
