import type { FormField, Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import type { Item } from '@weft/engine';

/** Metadata added to the values of a form. */
export interface FormMoment {
  /** Time of the submission: an ISO string in the zone that the workflow sets. */
  readonly submittedAt: string;
  readonly formMode: 'test' | 'production';
}

/**
 * The item of a submitted form: its values by field name, dates in the format of their field. The submission was
 * checked against the same fields when it arrived.
 */
export const formItem = (sent: Item, fields: readonly FormField[], moment: FormMoment): Item => {
  const body = sent.json['body'] ?? null;
  const values = isJsonObject(body) ? body : {};
  const query = sent.json['query'] ?? null;
  const json: JsonObject = {
    ...Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        formatted(
          value,
          fields.find((field) => field.name === name),
        ),
      ]),
    ),
    submittedAt: moment.submittedAt,
    formMode: moment.formMode,
    ...(isJsonObject(query) && Object.keys(query).length > 0 ? { formQueryParameters: query } : {}),
  };
  return { json, ...(sent.binary === undefined ? {} : { binary: sent.binary }) };
};

const formatted = (value: Json, field: FormField | undefined): Json => {
  if (field?.type !== 'date' || field.dateFormat === '' || typeof value !== 'string') return value;
  const date = DateTime.fromISO(value, { zone: 'UTC', locale: 'en' });
  return date.isValid ? date.toFormat(field.dateFormat) : value;
};
