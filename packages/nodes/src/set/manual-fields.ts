import { type NodeContext, NodeFailure } from '@weft/engine';
import { longObjectsParameter } from '../shared/read-parameter';
import type { FieldType } from '../shared/values/convert-value';
import type { FileEntry } from './file-fields';
import type { TypedField } from './typed-field';

const TYPES: readonly FieldType[] = ['string', 'number', 'boolean', 'array', 'object', 'dateTime'];
/** Default values of fields in the form before 3.3. */
const LEGACY_INITIAL: Readonly<Record<FieldType, unknown>> = {
  string: '',
  number: '',
  boolean: 'true',
  array: '',
  object: '{}',
  dateTime: '',
};

/** The fields that a Set node in the mode `manual` adds to one item. */
export interface ManualFields {
  readonly fields: readonly TypedField[];
  /** Entries whose values are files. */
  readonly files: readonly FileEntry[];
}

/** The entries of a Set node in the mode `manual` for one item, evaluated. A promise if that takes long. */
export const manualEntries = (context: NodeContext, itemIndex: number): ReturnType<typeof longObjectsParameter> =>
  longObjectsParameter(context, context.version < 3.3 ? 'fields.values' : 'assignments.assignments', itemIndex);

/**
 * The fields that a Set node in the mode `manual` writes for one item, in both forms.
 * @throws NodeFailure for an unknown type
 */
export function manualFields(
  { version }: Pick<NodeContext, 'version'>,
  entries: readonly Record<string, unknown>[],
  itemIndex: number,
): ManualFields {
  if (version < 3.3) return { fields: entries.map((entry) => readLegacyField(entry, itemIndex)), files: [] };
  const fields: TypedField[] = [];
  const files: FileEntry[] = [];
  for (const entry of entries)
    if (entry['type'] === 'binary') files.push(entry);
    else fields.push(readAssignment(entry, itemIndex));
  return { fields, files };
}

function readAssignment(entry: Record<string, unknown>, itemIndex: number): TypedField {
  const { name, type, value } = entry;
  return { name: nameOf(name), type: readType(type ?? 'string', itemIndex), value };
}

/** The value is stored under a name derived from its type: `stringValue`, `numberValue` and so on. */
function readLegacyField(entry: Record<string, unknown>, itemIndex: number): TypedField {
  const { name, type: given = 'stringValue' } = entry;
  const type = readType(String(given).replace(/Value$/, ''), itemIndex);
  const key = `${type}Value`;
  return { name: nameOf(name), type, value: key in entry ? entry[key] : LEGACY_INITIAL[type] };
}

function nameOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

function readType(given: unknown, itemIndex: number): FieldType {
  const type = TYPES.find((one) => one === given);
  if (type !== undefined) return type;
  throw new NodeFailure(`The field type ${JSON.stringify(given) ?? 'nothing'} is not supported`, { itemIndex });
}
