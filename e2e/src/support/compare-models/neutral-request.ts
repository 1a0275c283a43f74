import type { ModelRequest } from '@weft/models/testing';
import {
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  objectField,
  textField,
} from '@weft/service-kit/json';

/** A request in no wire format: what it means. */
export interface NeutralRequest {
  readonly format: string;
  /** Role and text, calls as `[name arguments]`; instructions are of the role `system`. */
  readonly messages: readonly (readonly [role: string, text: string])[];
  /** Arguments of each tool by name: their type, with `?` if they are optional. */
  readonly tools: Readonly<Record<string, NeutralTool>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

interface NeutralTool {
  readonly description: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Fields that say how a response is transported, or that are read above. */
const TRANSPORT = new Set([
  ...['stream', 'stream_options', 'messages', 'input', 'contents', 'system', 'instructions', 'systemInstruction'],
  ...['tools', 'tool_choice', 'toolConfig', 'parallel_tool_calls'],
]);

/** Removes what differs between two requests of the same meaning. */
export function neutral({ format, body }: ModelRequest): NeutralRequest {
  const settings = Object.entries(body)
    .map(([name, value]) => [name, withoutEmpty(value)] as const)
    .filter(([name, value]) => !TRANSPORT.has(name) && value !== null && !isEmpty(value) && !isDefault(name, value))
    .sort(([one], [other]) => one.localeCompare(other));
  return {
    format,
    messages: joined(messagesOf(body)),
    tools: Object.fromEntries(toolsOf(body).sort(([one], [other]) => one.localeCompare(other))),
    settings: Object.fromEntries(settings),
  };
}

/** An option that asks for what services do anyway. */
const isDefault = (name: string, value: Json): boolean =>
  (name === 'response_format' && textField(value, 'type') === 'text') || (name === 'background' && value === false);

const withoutEmpty = (value: Json): Json =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, inner]) => !isEmpty(inner))) : value;

const isEmpty = (value: Json): boolean =>
  (Array.isArray(value) && value.length === 0) || (isJsonObject(value) && Object.keys(value).length === 0);

type Message = readonly [role: string, text: string];

/**
 * Messages of the same role that follow each other as one: formats differ in whether they are joined. Calls and results
 * that follow each other are one message of calls and one of results: n8n 3 makes of calls at once calls one by one.
 */
function joined(messages: readonly Message[]): Message[] {
  const all: [string, string][] = [];
  for (const [role, text] of messages) {
    if (text === '') continue;
    const isCall = role === 'assistant' && text.startsWith('[') && all.at(-1)?.[0] === 'tool';
    const into = isCall ? all.at(-2) : all.at(-1);
    if (into?.[0] === role) into[1] = `${into[1]}\n${text}`;
    else all.push([role, text]);
  }
  return all;
}

function messagesOf(body: JsonObject): Message[] {
  const system = [body['system'], body['instructions'], body['systemInstruction']].map((part): Message => [
    'system',
    textsIn(part ?? null),
  ]);
  const list = ['messages', 'input', 'contents'].flatMap((name) => [...listField(body, name)]);
  const plain = textField(body, 'input');
  return [...system, ...(plain === undefined ? [] : [['user', plain] as const]), ...list.flatMap(messageOf)];
}

function messageOf(message: Json): Message[] {
  const given = textField(message, 'role') ?? textField(message, 'type') ?? '';
  const role =
    { model: 'assistant', developer: 'system', function: 'tool', function_call: 'assistant' }[given] ?? given;
  const calls = [
    ...listField(message, 'tool_calls').map((call) => objectField(call, 'function') ?? {}),
    ...(given === 'function_call' ? [message] : []),
  ].map((call) => shownCall(textField(call, 'name'), field(call, 'arguments')));
  const parts = [...listField(message, 'content'), ...listField(message, 'parts')];
  const used = parts.flatMap((part) => {
    const call = objectField(part, 'functionCall') ?? (textField(part, 'type') === 'tool_use' ? part : undefined);
    return call === undefined ? [] : [shownCall(textField(call, 'name'), field(call, 'args') ?? field(call, 'input'))];
  });
  const results = parts.flatMap((part) => {
    const response = objectField(part, 'functionResponse');
    if (response !== undefined) return [resultText(response['response'])];
    return textField(part, 'type') === 'tool_result' ? [textsIn(field(part, 'content') ?? null)] : [];
  });
  if (given === 'function_call_output') return [['tool', responseIn(textsIn(field(message, 'output') ?? null))]];
  if (results.length > 0) return results.map((text) => ['tool', responseIn(text)] as const);
  const content = textsIn(field(message, 'content') ?? field(message, 'parts') ?? null);
  const text = role === 'tool' ? responseIn(content) : content;
  return [[role, [text, ...calls, ...used].filter((one) => one !== '').join('\n')]];
}

/** Arguments may be text or an object; n8n 3 adds the id of the call to them, and no tool of a case has an `id`. */
function shownCall(name: string | undefined, input: Json | undefined): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return `[${name} ${sorted(text)}]`;
}

function sorted(text: string): string {
  try {
    return JSON.stringify(inOrder(JSON.parse(text)));
  } catch {
    return text;
  }
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'id')
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, inner]) => [name, inOrder(inner)]),
  );
}

/**
 * The text of a tool: n8n 3 gives it as the JSON of one item with nothing but `response`. JSON is written with and
 * without spaces.
 */
function responseIn(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  const items: Json = JSON.parse(text);
  const response =
    text.startsWith('[{"response":') && Array.isArray(items) ? textField(items[0], 'response') : undefined;
  return response ?? JSON.stringify(items);
}

const resultText = (response: Json | undefined): string =>
  textField(response, 'result') ?? textField(response, 'content') ?? JSON.stringify(response ?? null);

/** Text of a content in any format. */
function textsIn(content: Json): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textsIn).join('');
  return isJsonObject(content) ? (textField(content, 'text') ?? textsIn(content['parts'] ?? null)) : '';
}

function toolsOf(body: JsonObject): [string, NeutralTool][] {
  return listField(body, 'tools')
    .flatMap((tool) => [
      ...listField(tool, 'functionDeclarations'),
      ...(field(tool, 'functionDeclarations') === undefined ? [tool] : []),
    ])
    .map((tool): [string, NeutralTool] => {
      const definition = objectField(tool, 'function') ?? tool;
      const schema = ['parameters', 'parametersJsonSchema', 'input_schema']
        .map((name) => objectField(definition, name))
        .find((found) => found !== undefined);
      return [
        textField(definition, 'name') ?? '',
        { description: textField(definition, 'description') ?? '', arguments: argumentsOf(schema) },
      ];
    });
}

function argumentsOf(schema: JsonObject | undefined): Readonly<Record<string, string>> {
  // the one text of a tool without a schema is optional in n8n
  const required = new Set([...listField(schema, 'required'), 'input']);
  return Object.fromEntries(
    Object.entries(objectField(schema, 'properties') ?? {})
      .map(([name, property]): [string, string] => [name, `${typeOf(property)}${required.has(name) ? '' : '?'}`])
      .sort(([one], [other]) => one.localeCompare(other)),
  );
}

const typeOf = (property: Json): string => {
  const type = field(property, 'type');
  return (typeof type === 'string' ? type : JSON.stringify(type ?? 'any')).toLowerCase();
};
