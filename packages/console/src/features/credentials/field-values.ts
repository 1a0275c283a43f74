import type { CredentialField } from '@weft/client';
import { isRecord, type JsonRecord } from '../../ui/values/json';

/** Values entered for the fields of a credential, by name: text, or a boolean. */
export type FieldValues = Readonly<Record<string, string | boolean>>;

/** A field that cannot be sent as it was entered. */
export class WrongField extends Error {}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The defaults of a type. */
export const initialValues = (fields: readonly CredentialField[]): FieldValues =>
  Object.fromEntries(
    fields.map(({ name, type, default: value }) => [name, type === 'boolean' ? value === true : textOf(value)]),
  );

const objectIn = (text: string, label: string): JsonRecord => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new WrongField(`${label} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isRecord(value)) throw new WrongField(`${label} must be a JSON object.`);
  return value;
};

const valueOf = ({ type, label }: CredentialField, entered: string | boolean): unknown => {
  if (typeof entered === 'boolean') return entered;
  if (type === 'number') {
    const number = Number(entered);
    if (Number.isNaN(number)) throw new WrongField(`${label} must be a number.`);
    return number;
  }
  return type === 'json' ? objectIn(entered, label) : entered;
};

/**
 * The data to send. Empty fields are left out: optional ones take their defaults, and secrets of an existing credential
 * stay as they are. @throws WrongField
 */
export const dataOf = (fields: readonly CredentialField[], values: FieldValues): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const entered = values[field.name] ?? '';
      return entered === '' ? [] : [[field.name, valueOf(field, entered)]];
    }),
  );

/** True for a secret of several lines, such as a key in PEM. */
export const isLong = ({ name, label, type }: CredentialField): boolean =>
  type === 'json' || label.includes('(PEM)') || /^private_?key$/i.test(name);
