import type { FormField, FormPage } from '@weft/proto/channels';
import type { Submission } from './submission';

/** Values by the index of their field. */
export type FieldValues = ReadonlyMap<number, readonly string[]>;

const known = ({ type, options }: FormField, values: readonly string[]): readonly string[] =>
  type === 'dropdown' || type === 'radio' || type === 'checkbox'
    ? values.filter((value) => options.includes(value))
    : values;

/** The initially checked boxes may be given as a comma-separated list. */
const initialValues = ({ type, initial }: FormField): readonly string[] =>
  type === 'checkbox' ? [initial, ...initial.split(',').map((one) => one.trim())] : [initial];

/** Initial values of a form: query parameters named like a field or its label, otherwise the author's. */
export const valuesAtFirst = ({ fields }: FormPage, query: URLSearchParams): FieldValues =>
  new Map(
    fields.map((field, index) => {
      const asked = [field.name, field.label]
        .filter((key) => key !== '')
        .map((key) => query.getAll(key))
        .find((values) => values.length > 0);
      const initial = field.initial === '' ? [] : initialValues(field);
      return [index, field.type === 'html' || field.type === 'password' ? [] : known(field, asked ?? initial)];
    }),
  );

/** Values of a form that is shown again: everything entered, except passwords. */
export const valuesAgain = ({ fields }: FormPage, { values }: Submission): FieldValues =>
  new Map(
    fields.map((field, index) => [index, field.type === 'password' ? [] : known(field, values.get(index) ?? [])]),
  );

/** Error messages, and a note on files that must be chosen again: a browser does not retain them. */
export const errorsWithFiles = (
  { fields }: FormPage,
  errors: ReadonlyMap<number, string>,
  { files }: Submission,
): ReadonlyMap<number, string> =>
  new Map(
    fields.flatMap((field, index): [number, string][] => {
      const error = errors.get(index);
      if (error !== undefined) return [[index, error]];
      return field.type === 'file' && (files.get(index)?.length ?? 0) > 0 ? [[index, 'Choose the file again.']] : [];
    }),
  );

/** The item of a form, as a list in JSON text: values by name, files, and the query of its address. */
export const formItems = (
  body: unknown,
  binary: Readonly<Record<string, unknown>>,
  query: URLSearchParams,
  now: Date,
): Buffer => {
  const asked: Record<string, string | string[]> = Object.fromEntries(
    [...new Set(query.keys())]
      .filter((key) => !key.startsWith('weft-'))
      .map((key) => {
        const values = query.getAll(key);
        return [key, values.length === 1 ? (values[0] ?? '') : values];
      }),
  );
  const json = { submittedAt: now.toISOString(), params: {}, query: asked, body };
  return Buffer.from(JSON.stringify([{ json, ...(Object.keys(binary).length === 0 ? {} : { binary }) }]));
};
