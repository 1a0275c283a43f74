import { Document, Scalar, visit } from 'yaml';
import { SERVICE_FIELDS } from './document';
import { isList, isObject, objectOf, sortMembers, type Json, type JsonObject } from './json';

/** Members of a file next to the definition. */
export interface DocumentHead {
  readonly key?: string | undefined;
  /** Of a workflow without a key. */
  readonly id?: string | undefined;
  readonly active?: boolean | undefined;
}

/** Format of a file. */
export type FileFormat = 'json' | 'yaml';

/** The reference without its id; unchanged if it has no name. */
const withoutId = (reference: Json): Json =>
  isObject(reference) && typeof reference['name'] === 'string' && reference['name'] !== ''
    ? { name: reference['name'] }
    : reference;

/**
 * The definition with credentials by type and name, without their ids, which differ between instances.
 *
 * @param keepsId true for a node and a type whose credential the name does not identify.
 */
export const credentialsByName = (
  definition: JsonObject,
  keepsId: (node: string, type: string) => boolean = () => false,
): JsonObject => {
  const { nodes } = definition;
  if (!isList(nodes)) return definition;
  const linked = nodes.map((node) => {
    if (!isObject(node) || !isObject(node['credentials'])) return node;
    const name = String(node['name']);
    const credentials = objectOf(
      Object.entries(node['credentials']).map(([type, reference]) => [
        type,
        keepsId(name, type) ? reference : withoutId(reference),
      ]),
    );
    return { ...node, credentials };
  });
  return { ...definition, nodes: linked };
};

/** The members of a file in the order in which `pull` writes them: `key`, `id` and `active`, then the sorted rest. */
export const fileOf = ({ key, id, active }: DocumentHead, definition: JsonObject): JsonObject => {
  const rest = Object.entries(sortMembers(definition)).filter(([member]) => !SERVICE_FIELDS.includes(member));
  return objectOf([
    ...(key === undefined ? [] : [['key', key] as const]),
    ...(id === undefined ? [] : [['id', id] as const]),
    ...(active === undefined ? [] : [['active', active] as const]),
    ...rest,
  ]);
};

/** Characters that editors and Git show as they are. */
const isPrintable = (text: string): boolean =>
  text.isWellFormed() &&
  !/[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(text);

/** Texts whose lines are unambiguous in a block: the first one shows the indentation, the last one is not blank. */
const isBlock = (text: string): boolean =>
  text.includes('\n') && /^\n{0,1000}[^\s]/.test(text) && !/[ \t]\n{0,1000}$/.test(text);

const styleOf = (text: string, isKey: boolean): Scalar.Type | undefined => {
  if (!isPrintable(text)) return Scalar.QUOTE_DOUBLE;
  if (!isKey && isBlock(text)) return Scalar.BLOCK_LITERAL;
  return /[\n\t]|^\s|\s$/.test(text) ? Scalar.QUOTE_DOUBLE : undefined;
};

/** YAML without line folding and without aliases; strings of several lines are block scalars. */
export const toYaml = (value: Json): string => {
  const document = new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (place, node) => {
      const style = typeof node.value === 'string' ? styleOf(node.value, place === 'key') : undefined;
      if (style !== undefined) node.type = style;
    },
  });
  // Quoted strings stay on one line: blank lines of folded ones do not survive.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
};

/** The text of a file with these documents. JSON has one. */
export const writeDocuments = (format: FileFormat, documents: readonly JsonObject[]): string => {
  if (format === 'yaml') return documents.map(toYaml).join('---\n');
  const [only] = documents;
  return `${JSON.stringify(only === undefined ? null : only, undefined, 2)}\n`;
};
