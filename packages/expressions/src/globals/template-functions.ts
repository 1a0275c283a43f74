import { encodeBase64 } from '#platform';
import type { JsonObject } from '@weft/service-kit/json-values';
import { DateTime } from 'luxon';
import { copyFields } from '../compiler/literals';
import { parseDate } from '../dates/parse-date';
import { isPlainObject } from '../runtime/kinds';
import { stringifyJson } from '../runtime/data/json';
import { parseJson } from '../runtime/data/parse-json';
import { toKey, toNumber, toText } from '../runtime/convert';
import type { Run } from '../runtime/run';
import { rangeError, typeError } from '../runtime/thrown';
import { nativeFunctions, type Arguments } from '../runtime/values/function-value';
import { Namespace, VirtualObject } from '../runtime/values/virtual-object';

/** A file of the current item within the result of a strict template: `$fn.file(property, name, type)`. */
export class TemplateFile {
  constructor(
    /** The property of the item's binary data that holds the file. */
    readonly property: string,
    /** File name in place of the file's own. */
    readonly fileName: string | undefined,
    /** Media type in place of the file's own. */
    readonly mimeType: string | undefined,
  ) {}
}

/** A mail within the result of a strict template, which becomes text in MIME: `$fn.mime(message)`. */
export class TemplateMail {
  constructor(
    /** Fields of the mail; `attachments` has the properties of the item's binary data that hold its files. */
    readonly message: JsonObject,
  ) {}
}

/** A file or mail within an expression: it can be passed on, and not be read. */
class OpaqueValue extends VirtualObject {
  constructor(private readonly content: TemplateFile | TemplateMail) {
    super();
  }

  override get(): unknown {
    return undefined;
  }

  override keys(): readonly string[] {
    return [];
  }

  override result(): unknown {
    return this.content;
  }
}

/** Cost of encoding text, for each character. */
const ENCODE_NS = 30;

function omit(run: Run, [object, ...names]: Arguments): unknown {
  if (object === null || object === undefined) return run.made({});
  if (!isPlainObject(object)) throw typeError('$fn.omit needs an object');
  const copy: Record<string, unknown> = {};
  copyFields(run, object, copy);
  for (const name of names) delete copy[toKey(run, name)];
  return run.made(copy);
}

function seconds(run: Run, [value]: Arguments): number {
  const ms = millisecondsOf(run, value);
  if (!Number.isFinite(ms)) throw rangeError(`$fn.seconds: "${toText(run, value).slice(0, 80)}" is not a date`);
  return ms / 1_000;
}

function millisecondsOf(run: Run, value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (DateTime.isDateTime(value)) return value.toMillis();
  return typeof value === 'string' ? parseDate(value, run.scope.timezone) : toNumber(run, value);
}

/** One segment of a path. Names that a URL resolves, which would lead to another path, are refused. */
function path(run: Run, [value]: Arguments): string {
  const text = toText(run, value);
  run.read(text.length, ENCODE_NS);
  run.allowText(text.length, text.length * 9);
  if (value === null || value === undefined || !isSegment(text))
    throw typeError(`$fn.path: ${JSON.stringify(text)} cannot be a part of a path`);
  return encodeSegment(text);
}

/** True for a string that can be a segment of a path. */
export const isSegment = (text: string): boolean => !['', '.', '..'].includes(text);

export const encodeSegment = (text: string): string => encodeURIComponent(text.toWellFormed());

function base64(run: Run, [value]: Arguments): string {
  const text = toText(run, value);
  run.read(text.length, ENCODE_NS);
  run.allowText(text.length * 4);
  return encodeBase64(text);
}

const optionalText = (run: Run, value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : toText(run, value);

function file(run: Run, [property, fileName, mimeType]: Arguments): unknown {
  if (typeof property !== 'string' || property === '')
    throw typeError('$fn.file needs the name of the property that holds the file');
  return new OpaqueValue(new TemplateFile(property, optionalText(run, fileName), optionalText(run, mimeType)));
}

function mime(run: Run, [message]: Arguments): unknown {
  if (!isPlainObject(message)) throw typeError('$fn.mime needs an object with the fields of a mail');
  const text = stringifyJson(run, message);
  run.read(text?.length ?? 0, ENCODE_NS);
  const fields: JsonObject = JSON.parse(text ?? '{}');
  return new OpaqueValue(new TemplateMail(fields));
}

/** `$fn` of strict templates. */
export const templateFunctions = new Namespace(
  nativeFunctions({
    base64,
    file,
    json: (run, [value]) => (typeof value === 'string' ? parseJson(run, value) : value),
    mime,
    omit,
    path,
    seconds,
    text: (run, [value]) => stringifyJson(run, value),
    uuid: () => crypto.randomUUID(),
  }),
);

/** Names of the functions of `$fn`. */
export const TEMPLATE_FUNCTIONS: readonly string[] = templateFunctions.entries().map(([name]) => name);
