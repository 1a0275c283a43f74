import { type BinaryReference, isFileReference, type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';

/** A field of the type `binary`, whose value is a file instead of JSON. */
export type FileEntry = Readonly<Record<string, unknown>>;

/**
 * The files that fields of the type `binary` add to an item, by field name. The value of such a field is the name of a
 * file of the input item, or a file from an expression such as `$('X').item.binary.data`.
 * @throws NodeFailure for a value that is not a file
 */
export function fileFields(
  context: Pick<NodeContext, 'items'>,
  itemIndex: number,
  entries: readonly FileEntry[],
): NonNullable<Item['binary']> {
  return Object.fromEntries(entries.map(({ name, value }) => [String(name ?? ''), fileOf(context, itemIndex, value)]));
}

function fileOf(context: Pick<NodeContext, 'items'>, itemIndex: number, value: unknown): BinaryReference {
  const own = context.items[itemIndex]?.binary ?? {};
  const file = typeof value === 'string' ? (Object.hasOwn(own, value) ? own[value] : undefined) : toJson(value);
  if (isFileReference(file)) return file;
  const names = Object.keys(own);
  throw new NodeFailure(
    typeof value === 'string' ? `The item has no file under "${value}"` : 'The value of a binary field is not a file',
    {
      itemIndex,
      description: names.length === 0 ? 'The item has no files.' : `The item has files under: ${names.join(', ')}.`,
    },
  );
}
