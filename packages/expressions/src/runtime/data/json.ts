import { DateTime, Duration, Interval } from 'luxon';
import { LIMITS } from '../../limits';
import { toText } from '../convert';
import { FunctionValue } from '../values/function-value';
import { isArray, isPlainObject } from '../kinds';
import type { Run } from '../run';
import { overBudget } from '../run';
import { typeError } from '../thrown';

/** Options of `JSON.stringify`. */
export interface JsonStyle {
  /** Indentation of one level of nesting; empty for one line. */
  readonly indent?: string;
  /** The fields that are written, in all objects. */
  readonly only?: ReadonlySet<string>;
  /** Called for each value with its key; its result is written instead. */
  readonly replacer?: FunctionValue;
}

/**
 * The JSON text of a value as `JSON.stringify` writes it; undefined for a value that has none.
 * @throws Thrown TypeError for circular data
 */
export function stringifyJson(run: Run, value: unknown, style: JsonStyle = {}): string | undefined {
  const writer = new JsonWriter(run, style);
  const isWritten = writer.write('', value, '', { '': value });
  return isWritten ? writer.text() : undefined;
}

/** The JSON form of a value that is not data; the value itself if it is. */
export function jsonForm(run: Run, key: string, value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value))
    return value.isValid ? value.toISO() : null;
  const toJson = isPlainObject(value) && Object.hasOwn(value, 'toJSON') ? value['toJSON'] : undefined;
  return toJson instanceof FunctionValue ? toJson.call(run, value, [key]) : value;
}

class JsonWriter {
  private readonly pieces: string[] = [];
  private readonly open = new Set<unknown>();
  private length = 0;

  constructor(
    private readonly run: Run,
    private readonly style: JsonStyle,
  ) {}

  text(): string {
    return this.pieces.join('');
  }

  /** Writes one value after `before`; false, and nothing written, if it has no JSON form. */
  write(before: string, value: unknown, key: string, holder: object): boolean {
    this.run.step(1);
    let form = jsonForm(this.run, key, value);
    if (this.style.replacer !== undefined) form = this.style.replacer.call(this.run, holder, [key, form]);
    const simple = simpleText(form);
    if (simple === undefined) return false;
    if (simple !== null) {
      this.add(before + simple);
      return true;
    }
    this.add(before);
    if (this.open.has(form)) throw typeError('Converting circular structure to JSON');
    if (this.open.size > LIMITS.dataDepth)
      throw overBudget(`writes data nested deeper than ${LIMITS.dataDepth} levels`);
    this.open.add(form);
    if (isArray(form)) this.writeList(form);
    else this.writeFields(isPlainObject(form) ? form : {});
    this.open.delete(form);
    return true;
  }

  private writeList(list: readonly unknown[]): void {
    this.add('[');
    list.forEach((entry, index) => {
      const before = `${index === 0 ? '' : ','}${this.newLine(0)}`;
      if (!this.write(before, entry, String(index), list)) this.add(`${before}null`);
    });
    this.add(list.length === 0 ? ']' : `${this.newLine(1)}]`);
  }

  private writeFields(fields: Record<string, unknown>): void {
    this.add('{');
    let isEmpty = true;
    for (const key of Object.keys(fields)) {
      if (this.style.only !== undefined && !this.style.only.has(key)) continue;
      const before = `${isEmpty ? '' : ','}${this.newLine(0)}${JSON.stringify(key)}:${this.style.indent ? ' ' : ''}`;
      if (this.write(before, fields[key], key, fields)) isEmpty = false;
    }
    this.add(isEmpty ? '}' : `${this.newLine(1)}}`);
  }

  private newLine(outwards: number): string {
    return this.style.indent ? `\n${this.style.indent.repeat(this.open.size - outwards)}` : '';
  }

  private add(piece: string): void {
    if (piece === '') return;
    this.length += piece.length;
    this.run.allowText(this.length, piece.length);
    this.pieces.push(piece);
  }
}

/**
 * The JSON text of a value that is neither a list nor an object; null for those, undefined for what JSON leaves out.
 */
function simpleText(value: unknown): string | null | undefined {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return value instanceof FunctionValue ? undefined : null;
    default:
      return undefined;
  }
}

/** The style that the arguments of `JSON.stringify` ask for. */
export function jsonStyle(run: Run, replacer: unknown, space: unknown): JsonStyle {
  const width = typeof space === 'number' ? Math.max(0, Math.min(10, Math.trunc(space))) : 0;
  const indent = typeof space === 'string' ? space.slice(0, 10) : ' '.repeat(width);
  if (replacer instanceof FunctionValue) return { indent, replacer };
  return isArray(replacer) ? { indent, only: new Set(replacer.map((key) => toText(run, key))) } : { indent };
}
