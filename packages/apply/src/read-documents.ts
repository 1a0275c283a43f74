import { isScalar, LineCounter, parse, parseAllDocuments, visit, type Document } from 'yaml';
import { isKey, keyOfPath, SERVICE_FIELDS, type FileError, type WorkflowDocument } from './document';
import { isList, isObject, objectOf, type JsonObject } from './json';

/** Documents of a file, and why others could not be read. */
export interface ReadDocuments {
  readonly documents: readonly WorkflowDocument[];
  /** True if the file is that of an app, which has no documents. */
  readonly isApp: boolean;
  readonly errors: readonly FileError[];
}

/** Aliases of one YAML document; more are an attack. */
const MAX_ALIASES = 100;
const MAX_DOCUMENTS = 1_000;

type Parsed = { readonly value: unknown } | { readonly error: FileError };

/** Integers that JavaScript would change: Weft stores them exactly, so a command must not. */
const isInexact = (value: number, source: string): boolean =>
  Number.isInteger(value) &&
  !Number.isSafeInteger(value) &&
  /^[-+]?\d{1,400}$/.test(source) &&
  BigInt(source) !== BigInt(value);

const inexactMessage = (source: string): string =>
  `${source.slice(0, 40)} is beyond 2^53 and would lose digits. Write it as a string.`;

const placeAt = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Messages of the parser, next to those that point at the end, for a text that may become valid by more characters. */
const INCOMPLETE = /^(?:Unexpected end|Unterminated|No number after minus|Exponent part is missing|Bad Unicode escape)/;

const mayContinue = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = messageOf(error);
    return INCOMPLETE.test(message) || message.includes(`at position ${text.length} `);
  }
};

/** Offset of the first character that cannot be part of JSON: the parser's messages do not always have it. */
const endOfValidJson = (text: string): number => {
  let valid = 0;
  let broken = text.length + 1;
  while (broken - valid > 1) {
    const middle = Math.floor((valid + broken) / 2);
    if (mayContinue(text.slice(0, middle))) valid = middle;
    else broken = middle;
  }
  return valid;
};

const readJson = (file: string, text: string): readonly Parsed[] => {
  let inexact: string | undefined;
  const revive = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    if (typeof value === 'number' && source !== undefined && isInexact(value, source)) inexact ??= source;
    return value;
  };
  try {
    const value: unknown = JSON.parse(text, revive);
    if (inexact !== undefined)
      return [{ error: { file, ...placeAt(text, text.indexOf(inexact)), message: inexactMessage(inexact) } }];
    return [{ value }];
  } catch (error) {
    // At most 200 characters of the message, which may quote the text.
    const [message = ''] = messageOf(error)
      .slice(0, 200)
      .split(/,? in JSON at position |, (?:\.\.\.)?"/);
    return [{ error: { file, ...placeAt(text, endOfValidJson(text)), message: `is not valid JSON: ${message}.` } }];
  }
};

const inexactIn = (document: Document, lines: LineCounter): Omit<FileError, 'file'> | undefined => {
  let found: Omit<FileError, 'file'> | undefined;
  visit(document, (_, node) => {
    if (!isScalar(node) || typeof node.value !== 'number' || !isInexact(node.value, node.source ?? ''))
      return undefined;
    const { line, col: column } = lines.linePos(node.range?.[0] ?? 0);
    found = { line, column, message: inexactMessage(node.source ?? '') };
    return visit.BREAK;
  });
  return found;
};

const readYamlDocument = (file: string, document: Document, lines: LineCounter): Parsed => {
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col: column } = lines.linePos(error.pos[0]);
    const [message = ''] = error.message.split(/\n| at line /);
    return { error: { file, line, column, message: `is not valid YAML: ${message}` } };
  }
  const inexact = inexactIn(document, lines);
  if (inexact !== undefined) return { error: { file, ...inexact } };
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (failure) {
    return { error: { file, message: `is not valid YAML: ${messageOf(failure)}` } };
  }
};

const readYaml = (file: string, text: string): readonly Parsed[] => {
  const lines = new LineCounter();
  const all = parseAllDocuments(text, { version: '1.2', schema: 'core', merge: false, lineCounter: lines });
  const documents = [...all].filter(({ contents, errors }) => contents !== null || errors.length > 0);
  if (documents.length > MAX_DOCUMENTS)
    return [{ error: { file, message: `has more than ${MAX_DOCUMENTS} documents. Split it.` } }];
  return documents.map((document) => readYamlDocument(file, document, lines));
};

/** The value of one YAML document, or of JSON. @throws Error with line and column */
export const parseYaml = (text: string): unknown => parse(text, { schema: 'core', maxAliasCount: MAX_ALIASES });

const nameOf = (definition: JsonObject, file: string): string => {
  const name = definition['name'];
  if (typeof name === 'string') return name;
  const [last = file] = file.split('/').slice(-1);
  return last.replace(/\.(json|ya?ml)$/i, '');
};

const errorsOf = (file: string, value: unknown): readonly FileError[] => {
  if (!isObject(value)) return [{ file, message: 'is not a workflow: it must be an object with `nodes`.' }];
  const { key, active } = value;
  return [
    ...(isList(value['nodes']) ? [] : [{ file, message: 'is not a workflow: `nodes` must be a list.' }]),
    ...(key === undefined || (typeof key === 'string' && isKey(key))
      ? []
      : [{ file, message: '`key` must be 1 to 250 of a-z, 0-9, ".", "/" and "-", and begin with a letter or digit.' }]),
    ...(active === undefined || active === null || typeof active === 'boolean'
      ? []
      : [{ file, message: '`active` must be true or false.' }]),
  ];
};

const documentOf = (file: string, index: number, path: string, value: JsonObject): WorkflowDocument => {
  const { key, id, active } = value;
  const name = nameOf(value, file);
  const kept = Object.entries(value).filter(([member]) => !SERVICE_FIELDS.includes(member));
  // A replacement needs both; files copied from the editor have neither.
  const definition = objectOf([
    ...(Object.hasOwn(value, 'name') ? [] : [['name', name] as const]),
    ...(Object.hasOwn(value, 'connections') ? [] : [['connections', {}] as const]),
    ...kept,
  ]);
  return {
    file,
    index,
    key: typeof key === 'string' ? key : keyOfPath(path),
    hasOwnKey: typeof key === 'string',
    id: typeof id === 'string' && id !== '' ? id : undefined,
    active: typeof active === 'boolean' ? active : undefined,
    name,
    definition,
  };
};

/**
 * Reads the workflows of a file: JSON, or YAML with one or several documents. A byte order mark and CRLF are accepted.
 *
 * @param file path that messages show.
 * @param path path below the folder that was given; the key of a document without one.
 */
export const readDocuments = (file: string, path: string, content: string): ReadDocuments => {
  const text = content.startsWith('\uFEFF') ? content.slice(1) : content;
  const parsed = /\.json$/i.test(file) ? readJson(file, text) : readYaml(file, text);
  if (parsed.length === 0) return { documents: [], isApp: false, errors: [{ file, message: 'is empty.' }] };
  const apps = parsed.filter((one) => 'value' in one && isObject(one.value) && Object.hasOwn(one.value, 'weftApp'));
  if (apps.length > 0) {
    const message = 'has an app and other documents. Move the app to a separate file.';
    return { documents: [], isApp: true, errors: parsed.length > 1 ? [{ file, message }] : [] };
  }
  const documents: WorkflowDocument[] = [];
  const errors: FileError[] = [];
  parsed.forEach((one, index) => {
    if ('error' in one) return errors.push(one.error);
    const faults = errorsOf(file, one.value);
    if (faults.length > 0 || !isObject(one.value)) return errors.push(...faults);
    const document = documentOf(file, index, path, one.value);
    if (!document.hasOwnKey && parsed.length > 1)
      return errors.push({ file, message: `document ${index + 1} needs a \`key\`: the file has several documents.` });
    if (!isKey(document.key))
      return errors.push({ file, message: 'its path contains no character of keys. Add a `key`.' });
    return documents.push(document);
  });
  return { documents, isApp: false, errors };
};

/** Errors for keys that several documents have. */
export const duplicateKeys = (documents: readonly WorkflowDocument[]): readonly FileError[] => {
  const first = new Map<string, WorkflowDocument>();
  return documents.flatMap((document) => {
    const earlier = first.get(document.key);
    if (earlier === undefined) {
      first.set(document.key, document);
      return [];
    }
    return [{ file: document.file, message: `has the key "${document.key}" of ${earlier.file}. Give each its own.` }];
  });
};
