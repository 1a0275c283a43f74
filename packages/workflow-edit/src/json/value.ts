import type { Json } from '@weft/node-catalogue/definitions';

/** JSON that is inserted as it is written, so that `1.0`, large integers and the order of keys remain. */
export class RawJson {
  constructor(
    readonly text: string,
    /** Indentation of its lines where it comes from. */
    readonly indent = '',
  ) {}

  /** Its text at another indentation. JSON strings contain no line ends, so only white space changes. */
  at(indent: string): string {
    const [first = '', ...lines] = this.text.split('\n');
    return [
      first,
      ...lines.map((line) => indent + (line.startsWith(this.indent) ? line.slice(this.indent.length) : line)),
    ].join('\n');
  }
}

/** A value to insert: JSON, parts of which may be raw. */
export type EditValue = Json | RawJson | readonly EditValue[] | { readonly [key: string]: EditValue };

/** True if the value is or contains raw JSON. */
export function hasRaw(value: EditValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof RawJson || Object.values(value).some(hasRaw);
}

/** True for a list of values. */
export function isList(value: EditValue): value is readonly EditValue[] {
  return Array.isArray(value);
}

/** True for an object of values. */
export function isRecord(value: EditValue): value is { readonly [key: string]: EditValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson);
}

/** How a text is laid out, to write new parts like the old ones. */
export interface Style {
  /** Indentation of one level; undefined if everything is on one line. */
  readonly unit: string | undefined;
  readonly lineEnd: string;
}

/** Writes a value at an indentation. */
export function writeValue(value: EditValue, style: Style, indent: string): string {
  if (value instanceof RawJson) return value.at(indent);
  if (isList(value)) {
    return enclose(
      '[',
      value.map((entry) => (inner: string) => writeValue(entry, style, inner)),
      ']',
      style,
      indent,
    );
  }
  if (!isRecord(value)) return JSON.stringify(value);
  return enclose(
    '{',
    Object.entries(value).map(
      ([key, entry]) =>
        (inner: string) =>
          writeMember(key, entry, style, inner),
    ),
    '}',
    style,
    indent,
  );
}

/** Writes a member of an object. */
export function writeMember(key: string, value: EditValue, style: Style, indent: string): string {
  return `${JSON.stringify(key)}:${style.unit === undefined ? '' : ' '}${writeValue(value, style, indent)}`;
}

function enclose(
  open: string,
  entries: readonly ((indent: string) => string)[],
  close: string,
  style: Style,
  indent: string,
): string {
  if (entries.length === 0) return open + close;
  if (style.unit === undefined) return `${open}${entries.map((write) => write('')).join(',')}${close}`;
  const inner = indent + style.unit;
  const lines = entries.map((write) => inner + write(inner)).join(`,${style.lineEnd}`);
  return `${open}${style.lineEnd}${lines}${style.lineEnd}${indent}${close}`;
}
