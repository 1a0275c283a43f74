import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { type BinaryReference, bytesOf, type Item, NodeFailure } from '@weft/engine';
import type { AppRun } from './app-run';
import { withAttachments } from './steps/attachments';
import { buildCall } from './build-call';
import { chooseCredential } from './choose-credential';
import { runCode } from './code/run-code';
import { DEFAULT_LIMIT, entriesOf, fetchList, wantedEntries } from './fetch-list';
import type { PreparedOperation } from './prepare-app';
import type { PreparedRequest } from './prepare-request';
import type { ItemParameters } from './read-parameters';
import { type ItemTarget, type Progress, runItemSteps } from './steps/run-item-steps';
import { sendCall } from './send-call';
import { storeFile } from './steps/store-file';
import { typedMapper } from './typed-mapper';
import { Template } from './template';
import { type Roots, TemplateScope } from './template-scope';

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
  const target = await itemTarget(operation, parameters, run, itemIndex, roots);
  if (itemIndex > 0 && operation.firstOnly?.holds(target.scope) === true) return [];
  const after = operation.steps.length === 0 ? target : await runItemSteps(operation.steps, target, progress);
  const items = await itemsAfter(operation, after, parameters, progress);
  return operation.attachments === undefined ? items : withAttachments(operation.attachments, items, after);
}

/** An item with its credential and scope. @throws NodeFailure if the operation refuses it */
export async function itemTarget(
  operation: PreparedOperation,
  parameters: ItemParameters,
  run: AppRun,
  itemIndex: number,
  roots: Roots = {},
): Promise<ItemTarget> {
  const { request, steps, code } = operation;
  const sends = request !== undefined || steps.length > 0 || code !== undefined;
  const credential = sends ? await chooseCredential(run, parameters.values) : undefined;
  const typed = typedParameters(operation, parameters, run, itemIndex);
  const scope = scopeOf(operation, typed, run, itemIndex, credential?.publicFields ?? {}, roots);
  refuseItem(operation, scope, itemIndex);
  return { run, itemIndex, scope, credential };
}

async function itemsAfter(
  operation: PreparedOperation,
  target: ItemTarget,
  parameters: ItemParameters,
  progress: Progress,
): Promise<Item[]> {
  if (operation.code !== undefined)
    return itemsOf(await runCode(operation.code, target, parameters, progress), target.itemIndex);
  if (operation.request === undefined) return afterSteps(operation, target, progress);
  return afterCall(operation, operation.request, target, parameters.values, progress.binary);
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
  parameters: ItemParameters,
  run: AppRun,
  itemIndex: number,
  $credential: JsonObject,
  roots: Roots = {},
): TemplateScope {
  return outerScope(parameters, run, itemIndex, $credential, roots).withLet(operation.let);
}

/** The scope of templates before any `let`. @param more further names */
export function outerScope(
  { values, locators }: ItemParameters,
  { context }: AppRun,
  itemIndex: number,
  $credential: JsonObject,
  more: Roots = {},
): TemplateScope {
  const item = context.items[itemIndex];
  const roots = {
    $p: values,
    $rl: locators,
    $version: context.version,
    $timezone: context.timezone,
    $credential,
    $files: filesOf(item),
    ...more,
  };
  return new TemplateScope(context.scope(itemIndex), item?.json ?? {}, roots);
}

/** The parameters of an item, with the types of their columns where the operation asks for them. */
function typedParameters(
  { typed }: PreparedOperation,
  parameters: ItemParameters,
  run: AppRun,
  itemIndex: number,
): ItemParameters {
  if (typed.length === 0) return parameters;
  const scope = outerScope(parameters, run, itemIndex, {});
  const columns = typed.flatMap(([name, when]): [string, Json][] => {
    const mapper = parameters.values[name];
    if (!isJsonObject(mapper) || !when.holds(scope)) return [];
    return [[name, typedMapper(mapper, run.context.timezone, itemIndex)]];
  });
  return { ...parameters, values: { ...parameters.values, ...Object.fromEntries(columns) } };
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
  stored: Record<string, BinaryReference>,
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
  const binary = request.file === undefined ? {} : await storeFile(request.file, response, run, after);
  const body = request.file === undefined ? response.root.body : {};
  return withFiles(outputOf(item, after, body, itemIndex), { ...stored, ...binary }, run, itemIndex);
}

function afterSteps(operation: PreparedOperation, { run, itemIndex, scope }: ItemTarget, progress: Progress): Item[] {
  const last = progress.steps[operation.steps.at(-1)?.as ?? ''];
  const body = isJsonObject(last) ? (last['body'] ?? {}) : {};
  const template = operation.list instanceof Template ? operation.list : operation.item;
  const items = outputOf(template, scope, body, itemIndex).map((item, place) => {
    const binary = progress.entryFiles[place] ?? {};
    return Object.keys(binary).length === 0 ? item : { ...item, binary };
  });
  return withFiles(items, progress.binary, run, itemIndex);
}

/** The items of a template or, without one, of a body. */
function outputOf(template: Template | undefined, scope: TemplateScope, body: Json, itemIndex: number): Item[] {
  const value = template === undefined ? body : (template.json(scope) ?? {});
  return itemsOf(Array.isArray(value) ? value : [value], itemIndex);
}

/** Items must be objects: any other value is put under `data`. */
export function itemsOf(values: readonly Json[], itemIndex: number): Item[] {
  return values.map((value) => ({
    json: isJsonObject(value) ? value : value === null ? {} : { data: value },
    pairedItem: { item: itemIndex },
  }));
}

function withFiles(items: Item[], binary: Record<string, BinaryReference>, { context }: AppRun, index: number): Item[] {
  if (Object.keys(binary).length === 0) return items;
  const all = { ...context.items[index]?.binary, ...binary };
  return items.map((item) => ({ ...item, binary: { ...all, ...item.binary } }));
}
