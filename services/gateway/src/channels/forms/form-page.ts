import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';

const TYPES = [
  'text',
  'textarea',
  'number',
  'email',
  'password',
  'date',
  'dropdown',
  'checkbox',
  'radio',
  'file',
  'hidden',
  'html',
] as const;

/** How a field is asked for. `hidden` and `html` ask nothing. */
export type FieldType = (typeof TYPES)[number];

/** One field of a form. */
export interface FormField {
  /** Key in the item that the form gives. Empty: the item has nothing of it. */
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly placeholder: string;
  /** Initial value; the value of a hidden field; the content of an HTML one. */
  readonly initial: string;
  readonly options: readonly string[];
  /** The value is a list: of choices, or of files. */
  readonly multiple: boolean;
  /** Fewest and most choices of a list. */
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** Media types and endings of files, separated by commas; empty: every file. */
  readonly accept: string;
}

/** A page with a form. */
export interface FormPage {
  readonly title: string;
  /** Text that may hold simple HTML. */
  readonly description: string;
  readonly button: string;
  readonly fields: readonly FormField[];
  /** Styles of the author; empty: none. */
  readonly css: string;
}

/** The text under a key; empty if there is none. */
export const textOf = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === 'string' ? value : '';
};

const numberOf = (object: JsonObject, key: string): number | undefined => {
  const value = object[key];
  return typeof value === 'number' ? value : undefined;
};

const readField = (value: Json): FormField[] => {
  if (!isJsonObject(value)) return [];
  const { options } = value;
  return [
    {
      name: textOf(value, 'name'),
      label: textOf(value, 'label'),
      type: TYPES.find((type) => type === value['type']) ?? 'text',
      required: value['required'] === true,
      placeholder: textOf(value, 'placeholder'),
      initial: textOf(value, 'initial'),
      options: Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [],
      multiple: value['multiple'] === true,
      least: numberOf(value, 'least'),
      most: numberOf(value, 'most'),
      accept: textOf(value, 'accept'),
    },
  ];
};

/** Reads a page as the catalogue writes it. What is missing is empty. */
export const readFormPage = (value: Json | undefined): FormPage => {
  const page = isJsonObject(value) ? value : {};
  const { fields } = page;
  return {
    title: textOf(page, 'title'),
    description: textOf(page, 'description'),
    button: textOf(page, 'button'),
    fields: Array.isArray(fields) ? fields.flatMap(readField) : [],
    css: textOf(page, 'css'),
  };
};

/** The name that a field has in the page and in what the page sends. */
export const inputName = (index: number): string => `field-${index}`;

/** True if one of the fields takes files: the form is sent as multipart then. */
export const takesFiles = ({ fields }: FormPage): boolean => fields.some(({ type }) => type === 'file');
