import type { Json, JsonObject, WebhookSettings } from '@weft/node-catalogue';
import { kindOf, webhookSettingsOf } from '@weft/node-catalogue';
import type { Item } from './engine/items';
import type { HttpAnswer } from './engine/ports';
import type { PreparedWorkflow } from './engine/prepare-workflow';
import type { RunOutcome } from './engine/run-request';
import type { RunData } from './engine/run-record';

/** The end of a run, as far as an answer is made from it. */
export interface EndedRun {
  readonly workflow: PreparedWorkflow;
  readonly startNode: string;
  readonly outcome: RunOutcome;
  readonly records: RunData;
}

const JSON_TYPE = 'application/json; charset=utf-8';

const jsonAnswer = (status: number, headers: Readonly<Record<string, string>>, value: Json): HttpAnswer => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

const headersOf = ({ responseHeaders }: WebhookSettings): Readonly<Record<string, string>> =>
  Object.fromEntries(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]));

const lastItems = ({ outcome, records }: EndedRun): readonly Item[] =>
  (outcome.kind === 'success' && outcome.lastNode !== undefined ? records.get(outcome.lastNode)?.at(-1)?.data?.main[0] : undefined) ?? [];

/** The field of the first item that the node names; the path may lead into it. */
const fieldOf = (json: JsonObject, path: string): Json | undefined => {
  let value: Json | undefined = json;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
};

const fieldAnswer = (settings: WebhookSettings, headers: Readonly<Record<string, string>>, value: Json): HttpAnswer => {
  const type = settings.responseContentType;
  if (typeof value === 'string' && type !== undefined) return { status: settings.responseCode, headers: { ...headers, 'content-type': type }, body: value };
  return jsonAnswer(settings.responseCode, { ...headers, ...(type === undefined ? {} : { 'content-type': type }) }, value);
};

const lastNodeAnswer = (run: EndedRun, settings: WebhookSettings): HttpAnswer => {
  const items = lastItems(run);
  const headers = headersOf(settings);
  if (settings.responseData === 'noData') return { status: settings.responseCode, headers, body: '' };
  if (settings.responseData === 'allEntries') return jsonAnswer(settings.responseCode, headers, items.map((item) => item.json));
  const [first] = items;
  if (first === undefined) return jsonAnswer(settings.responseCode, headers, { message: 'The last node of the workflow gave no items.' });
  const value = settings.responsePropertyName === undefined ? first.json : fieldOf(first.json, settings.responsePropertyName) ?? null;
  return fieldAnswer(settings, headers, value);
};

/**
 * The answer for the caller of a webhook, from the end of a run that gave none by a Respond node; undefined if the
 * webhook answered at once, or the run has not ended. A run that failed answers 500 and says no more: the caller is
 * not the one who may read what went wrong.
 */
export const answerAtEnd = (run: EndedRun): HttpAnswer | undefined => {
  const node = run.workflow.nodes.get(run.startNode)?.definition;
  if (node === undefined || kindOf(node.type) !== 'webhook') return undefined;
  const settings = webhookSettingsOf(node);
  if (settings.responseMode === 'onReceived' || (run.outcome.kind !== 'success' && run.outcome.kind !== 'error')) return undefined;
  if (run.outcome.kind === 'error') return jsonAnswer(500, {}, { message: 'Error in workflow' });
  if (settings.responseMode === 'responseNode') return jsonAnswer(500, {}, { message: 'The workflow ended and none of its Respond to Webhook nodes ran.' });
  return lastNodeAnswer(run, settings);
};
