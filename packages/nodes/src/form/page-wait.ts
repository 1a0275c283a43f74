import type { FormPage, FormWait } from '@weft/proto/channels';
import type { FormField, Json } from '@weft/node-catalogue';
import { MAX_FORM_FIELDS, isJsonObject, listField, readFormFields } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import { type CallerRequest, type Item, type NodeContext, NodeFailure, resumeTokenOf } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { formItem } from '../form-trigger/form-item';
import { textParameter } from '../shared/read-parameter';
import { parseLooseJson } from '../shared/values/loose-json';
import { limitOf } from '../wait/caller-wait';
import { formAnswer } from './form-answer';
import { lookOf, type FormLook } from './form-look';

/** Paths of the parameters of a page: a Form node has its title among the options, a Wait node at the top level. */
export interface PageParameters extends Pick<FormWait, 'callers' | 'leadsOn' | 'end'> {
  readonly title: string;
  readonly description: string;
  readonly suffix: string;
}

/** Limit in characters of a page with all its fields, enforced by the executions service. */
const MAX_PAGE = 400_000;

/** The fields of the page, expressions resolved for the first item. @throws NodeFailure */
export function pageFields(context: NodeContext): FormField[] {
  const values =
    textParameter(context, 'defineForm', 0, 'fields') === 'json'
      ? jsonFields(context)
      : listField(toJson(context.parameter('formFields', 0)), 'values');
  if (values.length > MAX_FORM_FIELDS)
    throw new NodeFailure(`A page can have ${MAX_FORM_FIELDS} fields at most; this one has ${values.length}`);
  return readFormFields(values, context.version);
}

function jsonFields(context: NodeContext): readonly Json[] {
  const value = context.jsonParameter('jsonOutput', 0);
  const json = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (Array.isArray(json) && json.every(isJsonObject)) return json;
  throw new NodeFailure('The fields of the form are no JSON list of objects', {
    description: 'Write them as [{ "fieldLabel": "Name", "fieldType": "text" }].',
  });
}

/** The page, if the executions service takes it. @throws NodeFailure if it is too large */
export function checkPage(page: FormPage): FormPage {
  if (JSON.stringify(page).length <= MAX_PAGE) return page;
  throw new NodeFailure('The page is too large. Give it fewer choices, or less HTML.');
}

/**
 * The wait for the submission of the page, at /form-waiting/<token>. Callers waiting for the run are redirected there.
 * @throws NodeFailure
 */
export function waitForPage(context: NodeContext, where: PageParameters): CallerRequest {
  const look = lookOf(context);
  const own = (path: string, initial: keyof FormLook): string => textParameter(context, path, 0) || look[initial];
  const page = checkPage({
    title: own(where.title, 'title'),
    description: own(where.description, 'description'),
    button: own('options.buttonLabel', 'button'),
    css: own('options.customCss', 'css'),
    fields: pageFields(context),
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

/** The items after the wait: the submitted values or, after the time limit, the input. */
export function afterPage(context: NodeContext): readonly Item[] {
  delete context.memory['until'];
  if (context.resume?.kind !== 'webhook')
    return context.items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
  const { item } = context.resume;
  const sent = item.json['submittedAt'];
  const time =
    typeof sent === 'string'
      ? DateTime.fromISO(sent, { zone: 'UTC' })
      : DateTime.fromMillis(context.ports.clock.now(), { zone: 'UTC' });
  const submittedAt = time.setZone(context.timezone).toISO() ?? '';
  return [
    formItem(item, pageFields(context), { submittedAt, formMode: context.mode === 'manual' ? 'test' : 'production' }),
  ];
}
