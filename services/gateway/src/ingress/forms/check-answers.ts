import type { FormField } from '@weft/proto/channels';
import type { Json } from '@weft/service-kit/json';
import { countHint, MAX_LINE, MAX_TEXT } from './render-field';
import { safeContent } from './safe-html';
import type { SentFile, Submission } from './submission';

/** A submission, validated against the fields of its form. */
export interface CheckedAnswers {
  /** Error messages by index of the field; empty if all answers are valid. */
  readonly errors: ReadonlyMap<number, string>;
  /** Values by the names of the fields. */
  readonly body: Readonly<Record<string, Json>>;
  /** References to files by their names in the item. */
  readonly binary: Readonly<Record<string, SentFile['reference']>>;
}

/** A value or its error; an undefined value leaves its field out. */
type Answer = { readonly value: Json | undefined } | { readonly error: string };

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

const isDate = (text: string): boolean =>
  DATE.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const isEmail = (text: string): boolean => {
  const [local = '', domain = '', ...more] = text.split('@');
  return (
    more.length === 0 &&
    local !== '' &&
    !/\s/.test(text) &&
    domain.includes('.') &&
    domain.split('.').every((label) => label !== '')
  );
};

const tooLong = (max: number): Answer => ({
  error: `Enter at most ${max.toLocaleString('en')} characters.`,
});

const ofText = ({ type }: FormField, text: string): Answer => {
  const max = type === 'textarea' ? MAX_TEXT : MAX_LINE;
  if (text.length > max) return tooLong(max);
  if (type === 'email')
    return text.length <= 254 && isEmail(text)
      ? { value: text }
      : { error: 'Enter an email address, like name@example.com.' };
  if (type === 'date') return isDate(text) ? { value: text } : { error: 'Enter a date.' };
  if (type !== 'number') return { value: text };
  const value = Number(text);
  return NUMBER.test(text) && Number.isFinite(value) ? { value } : { error: 'Enter a number.' };
};

const ofChoice = ({ options, required }: FormField, chosen: string): Answer => {
  if (chosen === '') return required ? { error: 'Choose one.' } : { value: '' };
  return options.includes(chosen) ? { value: chosen } : { error: 'Choose one of the listed options.' };
};

/** Radio buttons without a selection have no value, unlike an empty dropdown. */
const ofRadio = (field: FormField, chosen: string): Answer => {
  const answer = ofChoice(field, chosen);
  return 'value' in answer && answer.value === '' ? { value: undefined } : answer;
};

const ofChoices = (field: FormField, sent: readonly string[]): Answer => {
  const { options, required, least = 0, most = Infinity } = field;
  const chosen = [...new Set(sent)].filter((one) => one !== '');
  if (!chosen.every((one) => options.includes(one))) return { error: 'Choose only listed options.' };
  if (chosen.length === 0) return required ? { error: countHint(field) || 'Choose at least one.' } : { value: [] };
  return chosen.length < least || chosen.length > most ? { error: countHint(field) } : { value: chosen };
};

const isAccepted = (accept: string, { fileName, mimeType }: SentFile): boolean => {
  const wanted = accept
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
  const type = mimeType.toLowerCase();
  return (
    wanted.length === 0 ||
    wanted.some((one) => {
      if (one.startsWith('.')) return fileName.toLowerCase().endsWith(one);
      return (
        one === '*/*' ||
        one === '*' ||
        (one.endsWith('/*')
          ? type.startsWith(one.slice(0, -1))
          : type === one || fileName.toLowerCase().endsWith(`.${one}`))
      );
    })
  );
};

const ofFiles = ({ required, multiple, accept }: FormField, files: readonly SentFile[]): Answer => {
  if (files.length === 0)
    return required ? { error: multiple ? 'Choose at least one file.' : 'Choose a file.' } : { value: null };
  if (!multiple && files.length > 1) return { error: 'Choose one file only.' };
  const refused = files.find((file) => !isAccepted(accept, file));
  if (refused !== undefined)
    return { error: `"${refused.fileName.slice(0, 100)}" is not an accepted file type (${accept}).` };
  const facts = files.map(({ fileName, mimeType, size }) => ({ filename: fileName, mimetype: mimeType, size }));
  return { value: multiple ? facts : (facts[0] ?? null) };
};

const answerOf = (field: FormField, sent: readonly string[], files: readonly SentFile[]): Answer => {
  switch (field.type) {
    case 'html':
      return { value: safeContent(field.initial) };
    case 'hidden':
      return (sent[0] ?? '').length > MAX_LINE ? tooLong(MAX_LINE) : { value: sent[0] ?? field.initial };
    case 'file':
      return ofFiles(field, files);
    case 'radio':
      return ofRadio(field, sent[0] ?? '');
    case 'checkbox':
      return ofChoices(field, sent);
    case 'dropdown':
      return field.multiple ? ofChoices(field, sent) : ofChoice(field, sent[0] ?? '');
    case 'textarea':
    case 'password':
      return ofLine(field, sent[0] ?? '');
    default:
      return ofLine(field, (sent[0] ?? '').trim());
  }
};

const ofLine = (field: FormField, text: string): Answer => {
  if (text !== '') return ofText(field, text);
  if (field.required) return { error: field.type === 'date' ? 'Enter a date.' : 'Fill in this field.' };
  return { value: field.type === 'number' ? 0 : '' };
};

/** Names of a field's files in an item: numbered if there are several. */
const binaryNames = ({ name, label }: FormField, index: number, count: number): string[] => {
  const base = (name || label || `field_${index}`).replace(/\W/g, '_');
  return count === 1 ? [base] : Array.from({ length: count }, (_, at) => `${base}_${at}`);
};

/** Validates a submission against the fields of a form. Everything is checked here, whatever the browser did. */
export const checkAnswers = (fields: readonly FormField[], { values, files }: Submission): CheckedAnswers => {
  const errors = new Map<number, string>();
  const body: [string, Json][] = [];
  const binary: [string, SentFile['reference']][] = [];
  fields.forEach((field, index) => {
    const sent = field.type === 'file' ? (files.get(index) ?? []) : [];
    const answer = answerOf(field, values.get(index) ?? [], sent);
    if ('error' in answer) {
      errors.set(index, answer.error);
      return;
    }
    if (field.name !== '' && answer.value !== undefined) body.push([field.name, answer.value]);
    binaryNames(field, index, sent.length).forEach((name, at) => {
      const reference = sent[at]?.reference;
      if (reference !== undefined) binary.push([name, reference]);
    });
  });
  return { errors, body: Object.fromEntries(body), binary: Object.fromEntries(binary) };
};
