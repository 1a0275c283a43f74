import type { Json } from '@weft/node-catalogue';
import { storedTypeOf } from '@weft/app-model/kinds';
import { NodeFailure, SecretMask } from '@weft/engine';
import { OutboundError } from '@weft/outbound';
import { maskedLine } from '../../shared/masked-line';
import type { RequestSettings } from '../../shared/http/settings';
import type { LoadedApp } from '../app-run';
import { buildCall, valueAtPath } from '../build-call';
import { entriesOf, nextOf } from '../fetch-list';
import { type OutsideNode, type OutsidePorts, targetOutsideOfRuns } from '../outside-of-runs';
import { runSteps } from '../steps/run-steps';
import { type CallTarget, LongDelay, sendCall } from '../send-call';
import { Template } from '../template';
import type { TemplateScope } from '../template-scope';
import { type OptionCursor, cursorText, readCursor } from './option-cursor';
import { type PreparedList, prepareList } from './prepare-list';

/** Time limit of one request for options in milliseconds. */
export const OPTIONS_MS = 10_000;
/** Maximum number of options in one answer. */
export const MAX_OPTIONS = 100;
/** A search within the entries stops after this number of pages of the service, and continues with the next request. */
const MAX_SEARCHED_PAGES = 10;
const MAX_LABEL = 200;
const MAX_VALUE = 2_000;
const MAX_MESSAGE = 500;
/** Maximum size of all responses of the service in bytes. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

/** A request for the options of a parameter. */
export interface OptionsRequest extends OutsideNode {
  /** Name of a list of the app. */
  readonly list: string;
  /** Text that labels must contain; empty for all. */
  readonly search: string;
  /** `nextCursor` of an earlier answer; empty for the first. */
  readonly cursor: string;
}

/** An option of a parameter. */
export interface ListedOption {
  readonly label: string;
  readonly value: string | number | boolean;
}

/** The options, or the reason for their absence: a sentence without secrets. */
export type OptionsResult =
  | { readonly kind: 'options'; readonly options: readonly ListedOption[]; readonly nextCursor: string }
  | {
      readonly kind: 'refused';
      readonly field: 'list' | 'credentialId' | 'cursor' | 'parameters';
      readonly message: string;
    };

/**
 * Fetches options from the service of an app. It only makes the requests of the list.
 * @param ms time limit; for tests
 */
export async function listOptions(
  loaded: LoadedApp,
  request: OptionsRequest,
  ports: OutsidePorts,
  signal: AbortSignal,
  ms = OPTIONS_MS,
): Promise<OptionsResult> {
  const { app, descriptor } = loaded;
  const { credential } = request;
  const list = prepareList(app, request.list);
  if (list === undefined) {
    const known = Object.keys(app.lists ?? {}).join(', ');
    return refused('list', `The kind ${descriptor.kind} has no list with this name. Its lists: ${known || 'none'}.`);
  }
  const cursor = readCursor(request.cursor);
  if (cursor === undefined) return refused('cursor', 'It must be the `nextCursor` of an earlier answer.');
  const types = descriptor.credentials.map(({ type }) => storedTypeOf(app, type));
  if (types.length > 0 && (credential === undefined || !types.includes(credential.type)))
    return refused('credentialId', `A credential of one of these types is required: ${types.join(', ')}.`);
  const mask = new SecretMask();
  if (credential !== undefined) mask.learn(credential.type, credential.data);
  const limit = AbortSignal.timeout(ms);
  try {
    const target = targetOutsideOfRuns(loaded, request, ports, {
      mask,
      signal: AbortSignal.any([limit, signal]),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      roots: { $search: request.search },
    });
    const { options, next } = await fetchOptions(list, target, cursor, request.search);
    return {
      kind: 'options',
      options: options.map(({ label, value }) => ({ label: maskedLine(mask, label, MAX_LABEL), value })),
      nextCursor: next === undefined ? '' : cursorText(next),
    };
  } catch (thrown) {
    if (limit.aborted) return refused('list', `${app.label} did not answer within ${ms / 1_000} s.`);
    const failure = thrown instanceof LongDelay ? thrown.failure : thrown;
    if (!(failure instanceof NodeFailure) && !(failure instanceof OutboundError)) throw thrown;
    return refused('list', maskedLine(mask, failure.message, MAX_MESSAGE));
  }
}

const refused = (field: Extract<OptionsResult, { kind: 'refused' }>['field'], message: string): OptionsResult => ({
  kind: 'refused',
  field,
  message,
});

async function fetchOptions(
  list: PreparedList,
  first: CallTarget,
  from: OptionCursor,
  search: string,
): Promise<{ readonly options: readonly ListedOption[]; readonly next: OptionCursor | undefined }> {
  const target = await afterSteps(list, first);
  const wanted = list.isSearchedHere ? search.trim().toLowerCase() : '';
  const options: ListedOption[] = [];
  let cursor = from;
  for (let page = 0; page < MAX_SEARCHED_PAGES; page += 1) {
    const response = await sendCall(list.request, pageOf(list, target, cursor.next), target);
    const entries = entriesOf(list.entries, response, target);
    for (let index = cursor.skip; index < entries.length; index += 1) {
      if (options.length === MAX_OPTIONS) return { options, next: { ...cursor, skip: index } };
      const option = optionOf(list, entries[index] ?? null, target.scope);
      if (option !== undefined && option.label.toLowerCase().includes(wanted)) options.push(option);
    }
    const next = list.pages === undefined ? undefined : nextOf(list.pages, response, target);
    if (next === undefined) return { options, next: undefined };
    cursor = { next, skip: 0 };
    if (wanted === '' || options.length > 0) break;
  }
  return { options, next: cursor };
}

async function afterSteps(list: PreparedList, first: CallTarget): Promise<CallTarget> {
  const scope = first.scope.withLet(list.let);
  for (const { when, message } of list.refuse)
    if (when.holds(scope)) throw new NodeFailure(message.text(scope) ?? 'The app refuses the request.');
  return runSteps(list.steps, { ...first, scope });
}

/** The request for a page, which has at most as many entries as an answer. */
function pageOf({ request, pages }: PreparedList, target: CallTarget, next: Json | undefined): RequestSettings {
  const settings = buildCall(request, target);
  if (pages === undefined) return settings;
  const added: [string, Json][] = [];
  const add = (target: string | undefined, value: Json | undefined): void => {
    if (target !== undefined && value !== undefined) added.push([target.slice(target.indexOf('.') + 1), value]);
  };
  add(pages.size?.into, pages.size === undefined ? undefined : Math.min(pages.size.max, MAX_OPTIONS));
  add(pages.into, next);
  return { ...settings, query: [...settings.query, ...added] };
}

/** The option of an entry; undefined if it has no label or value. */
function optionOf({ label, value }: PreparedList, entry: Json, scope: TemplateScope): ListedOption | undefined {
  const read = (part: Template | string): Json | undefined =>
    part instanceof Template ? part.json(scope.with({ $entry: entry })) : valueAtPath(entry, part);
  const given = read(value);
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean') return undefined;
  if (given === '' || String(given).length > MAX_VALUE) return undefined;
  const text = read(label);
  return { label: String(text ?? '') || String(given), value: given };
}
