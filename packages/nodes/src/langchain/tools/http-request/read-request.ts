import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { booleanParameter, choiceParameter, objectsParameter, textParameter } from '../../../shared/read-parameter';
import { checkPlaceholders, type Definition, placeholdersIn } from './placeholders';

/** A part of a request besides its URL. */
export type PartName = 'Query' | 'Headers' | 'Body';

/** One named value: given in the node with placeholders, or by the model under the same name. */
export interface NamedValue {
  readonly name: string;
  /** Absent: the model gives it. */
  readonly text?: string;
}

/** Content of a part: named values, JSON text with placeholders, or an object that the model gives. */
export type PartContent =
  | { readonly kind: 'values'; readonly values: readonly NamedValue[] }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'model'; readonly argument: string };

/** One argument of the tool. */
export interface RequestArgument {
  readonly name: string;
  readonly type: Definition['type'];
  readonly description: string;
  readonly isRequired: boolean;
}

/** The request of a node before the model has given its values. */
export interface RequestTemplate {
  readonly url: string;
  readonly parts: Readonly<Partial<Record<PartName, PartContent>>>;
  /** In the order of the request, each name once. */
  readonly args: readonly RequestArgument[];
}

const PARTS: readonly PartName[] = ['Query', 'Headers', 'Body'];
/** Names of the arguments with which a model gives a whole part. */
const WHOLE: Readonly<Record<PartName, string>> = { Query: 'qs', Headers: 'headers', Body: 'body' };
/** Maximum number of arguments of one tool. */
const MAX_ARGUMENTS = 100;

/**
 * Reads the request of a node.
 * @throws NodeFailure for a URL whose host the model would choose for a credential, and for placeholders that are
 * defined and not used
 */
export function readTemplate(context: NodeContext, itemIndex: number): RequestTemplate {
  const url = textParameter(context, 'url', itemIndex).trim();
  const definitions = definitionsOf(context, itemIndex);
  const found: RequestArgument[] = placeholdersIn(url).map((name) => argumentOf(name, definitions));
  const parts: Partial<Record<PartName, PartContent>> = {};
  for (const part of PARTS) {
    if (!booleanParameter(context, `send${part}`, itemIndex, false)) continue;
    const { content, args } = readPart(context, part, definitions, itemIndex);
    parts[part] = content;
    found.push(...args);
  }
  const args = [...new Map(found.toReversed().map((one) => [one.name, one])).values()].reverse();
  if (args.length > MAX_ARGUMENTS)
    throw new NodeFailure(`The request has more than ${MAX_ARGUMENTS} values that the model gives`, { itemIndex });
  const isAuthenticated = textParameter(context, 'authentication', itemIndex, 'none') !== 'none';
  checkPlaceholders(
    url,
    isAuthenticated,
    definitions,
    args.map(({ name }) => name),
    itemIndex,
  );
  return { url, parts, args };
}

function readPart(
  context: NodeContext,
  part: PartName,
  definitions: readonly Definition[],
  itemIndex: number,
): { readonly content: PartContent; readonly args: readonly RequestArgument[] } {
  const kind = choiceParameter(context, `specify${part}`, itemIndex, ['keypair', 'json', 'model'], 'keypair');
  if (kind === 'model') {
    const name = WHOLE[part];
    const description = `All ${part === 'Query' ? 'query parameters' : part.toLowerCase()} of the request, by name`;
    return {
      content: { kind: 'model', argument: name },
      args: [{ name, type: 'json', description, isRequired: true }],
    };
  }
  if (kind === 'json') {
    const value = toJson(context.parameter(`json${part}`, itemIndex)) ?? '';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { content: { kind: 'json', text }, args: placeholdersIn(text).map((name) => argumentOf(name, definitions)) };
  }
  const values: NamedValue[] = [];
  const args: RequestArgument[] = [];
  for (const entry of objectsParameter(context, `parameters${part}.values`, itemIndex)) {
    const name = String(entry['name'] ?? '').trim();
    if (name === '') continue;
    const provider = String(entry['valueProvider'] ?? 'modelRequired');
    if (provider === 'fieldValue') {
      const value = toJson(entry['value']) ?? '';
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      values.push({ name, text });
      args.push(...placeholdersIn(text).map((one) => argumentOf(one, definitions)));
    } else {
      values.push({ name });
      args.push({ ...argumentOf(name, definitions), isRequired: provider !== 'modelOptional' });
    }
  }
  return { content: { kind: 'values', values }, args };
}

function definitionsOf(context: NodeContext, itemIndex: number): Definition[] {
  return objectsParameter(context, 'placeholderDefinitions.values', itemIndex).flatMap((entry) => {
    const name = String(entry['name'] ?? '').replace(/^\{(.*)\}$/s, '$1');
    const type = TYPES.find((one) => one === entry['type']);
    return name === '' ? [] : [{ name, type, description: String(entry['description'] ?? '') }];
  });
}

const TYPES = ['string', 'number', 'boolean', 'json'] as const;

function argumentOf(name: string, definitions: readonly Definition[]): RequestArgument {
  const { type, description = '' } = definitions.find((one) => one.name === name) ?? {};
  return { name, type, description, isRequired: true };
}

/** The JSON Schema of the arguments. */
export function requestSchema(args: readonly RequestArgument[]): JsonObject {
  const required = args.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const property = ({ type = 'string', description }: RequestArgument): JsonObject => ({
    type: type === 'json' ? 'object' : type,
    ...(description === '' ? {} : { description }),
  });
  return {
    type: 'object',
    properties: Object.fromEntries(args.map((one) => [one.name, property(one)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** JSON text of a template as an object. @throws NodeFailure for anything else */
export function objectFrom(text: string, part: PartName, itemIndex: number): JsonObject {
  const value = parsed(text);
  if (isJsonObject(value)) return value;
  throw new NodeFailure(`The parameter "json${part}" is not a JSON object`, {
    itemIndex,
    description: 'Write {placeholder} in place of a value, or within a text in quotes.',
  });
}

function parsed(text: string): Json | undefined {
  if (text.trim() === '') return {};
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
