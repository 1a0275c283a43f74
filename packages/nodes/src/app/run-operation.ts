import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { type BinaryReference, bytesOf, type Item, NodeFailure } from '@weft/engine';
import { lookup } from 'mime-types';
import { fileFactsOf } from '../shared/http/response/file-facts';
import type { AppRun } from './app-run';
import { buildCall } from './build-call';
import { chooseCredential } from './choose-credential';
import { entriesOf, fetchList, wantedEntries } from './fetch-list';
import type { PreparedOperation } from './prepare-app';
import type { PreparedFile, PreparedRequest } from './prepare-request';
import type { ItemParameters } from './read-parameters';
import { type CallResponse, type CallTarget, sendCall } from './send-call';
import { Template } from './template';
import { type Roots, TemplateScope } from './template-scope';

/** Entries of a list that are returned if a node sets no limit. */
const DEFAULT_LIMIT = 50;

/** An item of a node run for which requests are sent. */
interface ItemTarget extends CallTarget {
  readonly run: AppRun;
}

/** The steps of an item that are done, so that they are not repeated after a wait. */
export interface Progress {
  /** `$steps`. */
  steps: Record<string, Json>;
  binary: Record<string, BinaryReference>;
}

/**
 * Runs an operation for one item.
 * @param roots further names for its templates
 * @throws NodeFailure if it is refused or fails, LongDelay if it must continue later, from `progress`
 */
export async function runOperation(
  operation: PreparedOperation,
  parameters: ItemParameters,
  run: AppRun,
  itemIndex: number,
  progress: Progress,
  roots: Roots = {},
): Promise<Item[]> {
  const sends = operation.request !== undefined || operation.steps.length > 0;
  const credential = sends ? await chooseCredential(run, parameters.values) : undefined;
  const scope = scopeOf(operation, parameters, run, itemIndex, credential?.publicFields ?? {}, roots);
  refuseItem(operation, scope, itemIndex);
  const target: ItemTarget = { run, itemIndex, scope, credential };
  if (operation.request === undefined) return afterSteps(operation, target, progress);
  return afterCall(operation, operation.request, target, parameters.values);
}

/** @throws NodeFailure if an entry of `refuse` holds */
export function refuseItem(
  { refuse }: Pick<PreparedOperation, 'refuse'>,
  scope: TemplateScope,
  itemIndex: number,
): void {
  for (const { when, message } of refuse)
    if (when.holds(scope)) throw new NodeFailure(message.text(scope) ?? 'The app refuses the item.', { itemIndex });
}

/** The scope of an operation's templates for one item, with the values of `let`. */
export function scopeOf(
  operation: PreparedOperation,
  { values, locators }: ItemParameters,
  { context }: AppRun,
  itemIndex: number,
  $credential: JsonObject,
  more: Roots = {},
): TemplateScope {
  const item = context.items[itemIndex];
  const roots = { $p: values, $rl: locators, $version: context.version, $credential, $files: filesOf(item), ...more };
  return new TemplateScope(context.scope(itemIndex), item?.json ?? {}, roots).withLet(operation.let);
}

/** `$files`: name, media type and size in bytes of the files of an item, by binary field. */
function filesOf(item: Item | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(item?.binary ?? {}).map(([name, file]) => [
      name,
      { fileName: file.fileName ?? name, mimeType: file.mimeType, size: bytesOf(file) ?? null },
    ]),
  );
}

async function afterCall(
  operation: PreparedOperation,
  request: PreparedRequest,
  target: ItemTarget,
  parameters: JsonObject,
): Promise<Item[]> {
  const { run, itemIndex, scope } = target;
  const settings = buildCall(request, target);
  const { pages, list, item } = operation;
  const wanted = wantedEntries(parameters);
  if (pages !== undefined && list !== undefined) {
    const entries = await fetchList(request, settings, pages, list, target, wanted ?? DEFAULT_LIMIT);
    return itemsOf(entries, itemIndex);
  }
  const response = await sendCall(request, settings, target);
  if (list !== undefined) return itemsOf(entriesOf(list, response, target).slice(0, wanted ?? Infinity), itemIndex);
  const after = scope.with({ $response: response.root });
  const binary = request.file === undefined ? {} : await storeFile(request.file, response, target, after);
  const body = request.file === undefined ? response.root.body : {};
  return withFiles(outputOf(item, after, body, itemIndex), binary, run, itemIndex);
}

async function afterSteps(operation: PreparedOperation, target: ItemTarget, progress: Progress): Promise<Item[]> {
  const { run, itemIndex } = target;
  const scopeNow = (): TemplateScope => target.scope.with({ $steps: progress.steps });
  for (const { as, when, request } of operation.steps) {
    const scope = scopeNow();
    if (Object.hasOwn(progress.steps, as) || when?.holds(scope) === false) continue;
    const now = { ...target, scope };
    const response = await sendCall(request, buildCall(request, now), now);
    if (request.file !== undefined)
      Object.assign(
        progress.binary,
        await storeFile(request.file, response, target, scope.with({ $response: response.root })),
      );
    progress.steps = { ...progress.steps, [as]: response.root };
  }
  const last = progress.steps[operation.steps.at(-1)?.as ?? ''];
  const body = isJsonObject(last) ? (last['body'] ?? {}) : {};
  const template = operation.list instanceof Template ? operation.list : operation.item;
  return withFiles(outputOf(template, scopeNow(), body, itemIndex), progress.binary, run, itemIndex);
}

/** The items of a template or, without one, of a body. */
function outputOf(template: Template | undefined, scope: TemplateScope, body: Json, itemIndex: number): Item[] {
  const value = template === undefined ? body : (template.json(scope) ?? {});
  return itemsOf(Array.isArray(value) ? value : [value], itemIndex);
}

/** Items must be objects: any other value is put under `data`. */
function itemsOf(values: readonly Json[], itemIndex: number): Item[] {
  return values.map((value) => ({
    json: isJsonObject(value) ? value : value === null ? {} : { data: value },
    pairedItem: { item: itemIndex },
  }));
}

function withFiles(items: Item[], binary: Record<string, BinaryReference>, { context }: AppRun, index: number): Item[] {
  if (Object.keys(binary).length === 0) return items;
  const all = { ...context.items[index]?.binary, ...binary };
  return items.map((item) => ({ ...item, binary: all }));
}

async function storeFile(
  { property, name, type }: PreparedFile,
  { response }: CallResponse,
  { run }: ItemTarget,
  scope: TemplateScope,
): Promise<Record<string, BinaryReference>> {
  const facts = fileFactsOf(response);
  const fileName = name?.text(scope) || facts.fileName;
  const byName = name === undefined || fileName === undefined ? false : lookup(fileName);
  const mimeType = type?.text(scope) || byName || facts.mimeType;
  const { fileExtension: _extension, ...others } = facts;
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(fileName ?? '')?.[1] ?? facts.fileExtension;
  const reference = await run.context.ports.files.store(response.body, {
    ...others,
    mimeType,
    ...(fileName === undefined ? {} : { fileName }),
    ...(extension === undefined ? {} : { fileExtension: extension }),
  });
  run.budget.giveBack(response.body.length);
  return { [property.text(scope) || 'data']: reference };
}
