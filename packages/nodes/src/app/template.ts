import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import {
  type CompiledParameter,
  compileParameter,
  evaluateStrict,
  ExpressionError,
  type ExpressionScope,
  freeNames,
  TemplateFile,
  TemplateMail,
  toJson,
} from '@weft/expressions';

/** A value that a template gives for a field: JSON, a file of the item, or a mail. */
export type FieldValue = Json | TemplateFile | TemplateMail;

/** A mail, and the names of the fields that lead to its place in a body. */
export interface PlacedMail {
  readonly path: readonly string[];
  readonly mail: TemplateMail;
}

/** A file, and the names of the fields that lead to its place in a body. */
export interface PlacedFile {
  readonly path: readonly string[];
  readonly file: TemplateFile;
}

/** A body: a file of the item, or JSON with mails and files whose places are empty strings. */
export type TemplateBody =
  | { readonly kind: 'file'; readonly file: TemplateFile }
  | {
      readonly kind: 'json';
      readonly value: Json;
      readonly mails: readonly PlacedMail[];
      readonly files: readonly PlacedFile[];
    };

/** The mails and files that are found in a body. */
interface Placed {
  readonly mails: PlacedMail[];
  readonly files: PlacedFile[];
}

type Node =
  | { readonly kind: 'constant'; readonly value: Json }
  | {
      readonly kind: 'text';
      readonly compiled: CompiledParameter;
      readonly path: string;
      /** Names that the expression reads. */
      readonly names: readonly string[];
      readonly hasFiles: boolean;
      /** Name of a parameter, if that is all the expression reads. */
      readonly parameter: string | undefined;
    }
  | { readonly kind: 'list'; readonly entries: readonly Node[] }
  | { readonly kind: 'fields'; readonly entries: readonly Entry[]; readonly path: string };

type TextNode = Extract<Node, { kind: 'text' }>;

interface Entry {
  readonly key: string;
  readonly isSpread: boolean;
  readonly value: Node;
}

/** A part of an app file, compiled: its strings that begin with `=` are resolved strictly. */
export class Template {
  /** Names that its expressions read. */
  readonly names: ReadonlySet<string>;
  readonly #root: Node;

  /** @param path of the part in its file, for messages, with the name of the app before it */
  constructor(value: Json, path: string) {
    const names = new Set<string>();
    this.#root = compile(value, path, names);
    this.names = names;
  }

  /**
   * The value as JSON; undefined if the whole template gives undefined.
   * @throws NodeFailure with the path of the expression that failed, also for a file where none can be
   */
  json(scope: ExpressionScope): Json | undefined {
    return jsonOf(evaluate(this.#root, scope), this.#root);
  }

  /**
   * The value as the body of a request; undefined if the whole template gives undefined.
   * @throws NodeFailure as `json` does, and for mails and files that are not the value of a field
   */
  body(scope: ExpressionScope): TemplateBody | undefined {
    const whole = this.#root.kind === 'text' ? evaluate(this.#root, scope) : undefined;
    if (whole instanceof TemplateFile) return { kind: 'file', file: whole };
    const placed: Placed = { mails: [], files: [] };
    const value = this.#root.kind === 'text' ? jsonOf(whole, this.#root) : bodyOf(this.#root, scope, [], placed);
    return value === undefined ? undefined : { kind: 'json', value, ...placed };
  }

  /** The value as a string; undefined for null and undefined. */
  text(scope: ExpressionScope): string | undefined {
    const value = this.json(scope);
    if (value === undefined || value === null) return undefined;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** True if the value counts as true. */
  holds(scope: ExpressionScope): boolean {
    return Boolean(this.json(scope));
  }

  /** The fields of the value, which may be files; undefined if it is not an object. */
  fields(scope: ExpressionScope): ReadonlyMap<string, FieldValue> | undefined {
    if (this.#root.kind === 'fields') return fieldsOf(this.#root, scope);
    const value = this.json(scope);
    return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
  }
}

/** An expression that only reads a parameter, the most frequent one: it needs no interpreter. */
const PARAMETER = /^=\{\{ \$p\.([A-Za-z]\w*) \}\}$/;

/** A parameter that is set; undefined for any other name, which the interpreter knows how to read. */
function parameterOf(scope: ExpressionScope, name: string): Json | undefined {
  const parameters = scope.extra?.['$p'];
  return isJsonObject(parameters) && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

function compile(value: Json, path: string, names: Set<string>): Node {
  if (typeof value === 'string') {
    if (!value.startsWith('=')) return { kind: 'constant', value };
    const read = namesOf(value);
    for (const name of read) names.add(name);
    return {
      kind: 'text',
      compiled: compileParameter(value),
      path,
      names: read,
      hasFiles: /\$fn\.(?:file|mime)/.test(value),
      parameter: PARAMETER.exec(value)?.[1],
    };
  }
  if (Array.isArray(value)) {
    const entries = value.map((entry, index) => compile(entry, `${path}[${index}]`, names));
    return entries.every((entry) => entry.kind === 'constant')
      ? { kind: 'constant', value }
      : { kind: 'list', entries };
  }
  if (!isJsonObject(value)) return { kind: 'constant', value };
  const entries = Object.entries(value).map(([key, entry]) => ({
    key,
    isSpread: key.startsWith('...'),
    value: compile(entry, `${path}.${key}`, names),
  }));
  return entries.every((entry) => !entry.isSpread && entry.value.kind === 'constant')
    ? { kind: 'constant', value }
    : { kind: 'fields', entries, path };
}

/** An expression that cannot be compiled reads nothing: it fails when it is evaluated. */
function namesOf(text: string): readonly string[] {
  try {
    return freeNames(text);
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}

function evaluate(node: Node, scope: ExpressionScope): FieldValue | undefined {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'text': {
      const parameter = node.parameter === undefined ? undefined : parameterOf(scope, node.parameter);
      if (parameter !== undefined) return parameter;
      const value = evaluateText(node, scope);
      return isOpaque(value) ? value : plain(value, node);
    }
    case 'list':
      return node.entries.map((entry) => jsonOf(evaluate(entry, scope), entry) ?? null);
    case 'fields':
      return jsonFields(fieldsOf(node, scope), node);
  }
}

/** The JSON of a body. Mails and files that are values of its fields are put into `placed`. */
function bodyOf(node: Node, scope: ExpressionScope, path: readonly string[], placed: Placed): Json | undefined {
  if (node.kind !== 'fields') {
    const value = evaluate(node, scope);
    if (value instanceof TemplateMail) placed.mails.push({ path, mail: value });
    else if (value instanceof TemplateFile) placed.files.push({ path, file: value });
    else return jsonOf(value, node);
    return '';
  }
  const fields = new Map<string, Json>();
  for (const { key, isSpread, value } of node.entries) {
    if (isSpread)
      for (const [name, entry] of spreadOf(value, scope)) {
        const json = jsonOf(entry, value);
        if (json !== undefined) fields.set(name, json);
      }
    else {
      const one = bodyOf(value, scope, [...path, key], placed);
      if (one !== undefined) fields.set(key, one);
    }
  }
  return Object.fromEntries(fields);
}

const isOpaque = (value: unknown): value is TemplateFile | TemplateMail =>
  value instanceof TemplateFile || value instanceof TemplateMail;

/** @throws NodeFailure for a file or a mail */
function jsonOf(value: FieldValue | undefined, node: Node): Json | undefined {
  if (isOpaque(value)) throw misplaced(node);
  return value;
}

function jsonFields(fields: ReadonlyMap<string, FieldValue>, node: Node): JsonObject {
  return Object.fromEntries(
    [...fields].flatMap(([key, value]): [string, Json][] => {
      const json = jsonOf(value, node);
      return json === undefined ? [] : [[key, json]];
    }),
  );
}

function fieldsOf(node: Extract<Node, { kind: 'fields' }>, scope: ExpressionScope): ReadonlyMap<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  for (const { key, isSpread, value } of node.entries) {
    if (isSpread) for (const [name, entry] of spreadOf(value, scope)) fields.set(name, entry);
    else {
      const one = evaluate(value, scope);
      if (one !== undefined) fields.set(key, one);
    }
  }
  return fields;
}

function spreadOf(node: Node, scope: ExpressionScope): readonly (readonly [string, FieldValue])[] {
  if (node.kind === 'fields') return [...fieldsOf(node, scope)];
  const raw = node.kind === 'text' ? evaluateText(node, scope) : evaluate(node, scope);
  if (raw === undefined || raw === null) return [];
  if (typeof raw !== 'object' || Array.isArray(raw)) throw mistake(node, 'only an object can be spread');
  return Object.entries(raw).flatMap(([key, entry]: [string, unknown]): (readonly [string, FieldValue])[] => {
    const value = isOpaque(entry) || node.kind !== 'text' ? entry : plain(entry, node);
    if (isOpaque(value)) return [[key, value]];
    const json = toJson(value);
    return json === undefined ? [] : [[key, json]];
  });
}

function plain(value: unknown, node: TextNode): Json | undefined {
  if (node.hasFiles && holdsOpaque(value)) throw misplaced(node);
  return toJson(value);
}

const holdsOpaque = (value: unknown): boolean =>
  isOpaque(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsOpaque));

function evaluateText(node: TextNode, scope: ExpressionScope): unknown {
  try {
    return evaluateStrict(node.compiled, scope);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw failure(node, error);
  }
}

const pathOf = (node: Node): string => ('path' in node ? node.path : '');

/** A failure that no parameter and no response causes. */
const mistake = (node: Node, reason: string): NodeFailure =>
  new NodeFailure(`The app has an error: ${pathOf(node)}: ${reason}`);

const misplaced = (node: Node): NodeFailure =>
  mistake(node, 'a file can only be a whole body or a field of a body, and a mail a field of a JSON body');

/** Names that stand for responses of the service. */
const RESPONSES: readonly string[] = ['$response', '$steps', '$entry', '$entries'];

/** The message of the interpreter is for the author of the app. */
function failure({ path, names }: TextNode, cause: ExpressionError): NodeFailure {
  const reason = cause.message;
  const [what, toCheck] = names.some((name) => RESPONSES.includes(name))
    ? ['The response of the service is not what the app expects', 'the credential and what it may do']
    : ['The app cannot use a parameter of the node', 'the parameters of the node'];
  // Functions of templates say in their own words what they need.
  const own = reason.startsWith('$fn.') ? `: ${reason}` : '';
  return new NodeFailure(`${what}: ${path}${own}`, { description: adviceOn(reason, toCheck), cause });
}

/** What to do about a failure that has its cause in data or in the app. */
export const adviceOn = (reason: string, toCheck: string): string =>
  `${reason}. Check ${toCheck}. If they are right, the app has an error at this place.`;

/** The fields of a value as JSON; undefined if it is not an object. */
export const asObject = (value: Json | undefined): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
