import type { FormField } from '@weft/proto/channels';
import { inputName } from './form-page';
import { escapeHtml, safeContent } from './safe-html';

/** A field with its content. */
export interface ShownField {
  readonly field: FormField;
  readonly index: number;
  /** Text, or the selected choices. */
  readonly values: readonly string[];
  /** Error message; undefined if the value is valid. */
  readonly error: string | undefined;
  /** The browser focuses this field. */
  readonly isFirstError: boolean;
}

/** The id of a field's element, or of the group around its choices. */
export const fieldId = (index: number): string => `field-${index}`;

const attributes = (all: Readonly<Record<string, string | boolean | undefined>>): string =>
  Object.entries(all)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
    .join('');

const errorId = (index: number): string => `${fieldId(index)}-error`;
const hintId = (index: number): string => `${fieldId(index)}-hint`;

const mark = ({ required }: FormField): string => (required ? ' <span class="mark" aria-hidden="true">*</span>' : '');

const errorText = ({ index, error }: ShownField): string =>
  error === undefined ? '' : `\n<p class="error" id="${errorId(index)}">${escapeHtml(error)}</p>`;

const described = ({ index, error }: ShownField, hint: string): string | undefined => {
  const ids = [...(hint === '' ? [] : [hintId(index)]), ...(error === undefined ? [] : [errorId(index)])];
  return ids.length === 0 ? undefined : ids.join(' ');
};

/** Attributes of every element that takes a value. */
const base = (shown: ShownField, hint = ''): Readonly<Record<string, string | boolean | undefined>> => ({
  id: fieldId(shown.index),
  name: inputName(shown.index),
  required: shown.field.required,
  'aria-invalid': shown.error === undefined ? undefined : 'true',
  'aria-describedby': described(shown, hint),
  autofocus: shown.isFirstError,
});

const frame = (shown: ShownField, hint: string, element: string): string => {
  const { field, index } = shown;
  const note = hint === '' ? '' : `\n<p class="hint" id="${hintId(index)}">${escapeHtml(hint)}</p>`;
  return (
    `<div class="field">\n<label for="${fieldId(index)}">` +
    `${escapeHtml(field.label)}${mark(field)}</label>${note}\n${element}${errorText(shown)}\n</div>`
  );
};

/** Maximum text lengths of a single-line and a multi-line field. */
export const MAX_LINE = 10_000;
export const MAX_TEXT = 500_000;

const COMPLETION: Readonly<Partial<Record<string, string>>> = { email: 'email', password: 'new-password' };

const input = (shown: ShownField): string => {
  const { field, values } = shown;
  const { type } = field;
  const more = {
    type,
    value: type === 'password' ? undefined : (values[0] ?? ''),
    placeholder: field.placeholder === '' ? undefined : field.placeholder,
    step: type === 'number' ? 'any' : undefined,
    maxlength: type === 'text' || type === 'password' ? String(MAX_LINE) : type === 'email' ? '254' : undefined,
    autocomplete: COMPLETION[type],
  };
  return frame(shown, '', `<input${attributes({ ...base(shown), ...more })}>`);
};

const textarea = (shown: ShownField): string => {
  const { placeholder } = shown.field;
  const more = { rows: '5', maxlength: String(MAX_TEXT), placeholder: placeholder === '' ? undefined : placeholder };
  // HTML ignores the first line break of a text area's content.
  return frame(
    shown,
    '',
    `<textarea${attributes({ ...base(shown), ...more })}>\n${escapeHtml(shown.values[0] ?? '')}</textarea>`,
  );
};

const dropdown = (shown: ShownField): string => {
  const { field, values } = shown;
  const empty =
    `<option value=""${attributes({ selected: values.length === 0 })}>` +
    `${escapeHtml(field.placeholder === '' ? 'Choose one' : field.placeholder)}</option>`;
  const options = field.options.map(
    (option) =>
      `<option${attributes({ value: option, selected: values.includes(option) })}>${escapeHtml(option)}</option>`,
  );
  return frame(shown, '', `<select${attributes(base(shown))}>${[empty, ...options].join('')}</select>`);
};

/** The required number of choices, in words; empty if any number is valid. */
export const countHint = ({ least = 0, most }: Pick<FormField, 'least' | 'most'>): string => {
  if (most === undefined) return least > 0 ? `Choose at least ${least}.` : '';
  if (least === most) return `Choose exactly ${most}.`;
  return least > 0 ? `Choose ${least} to ${most}.` : `Choose at most ${most}.`;
};

const choices = (shown: ShownField): string => {
  const { field, index, values } = shown;
  const type = field.multiple ? 'checkbox' : 'radio';
  const hint = field.multiple ? countHint(field) : '';
  const rows = field.options.map((option, at) => {
    const row = {
      type,
      name: inputName(index),
      value: option,
      checked: values.includes(option),
      required: type === 'radio' && field.required,
      autofocus: shown.isFirstError && at === 0,
    };
    return `<label class="choice"><input${attributes(row)}> <span>${escapeHtml(option)}</span></label>`;
  });
  const note = hint === '' ? '' : `\n<p class="hint" id="${hintId(index)}">${hint}</p>`;
  const group = {
    id: fieldId(index),
    class: 'field',
    role: field.multiple ? undefined : 'radiogroup',
    'aria-describedby': described(shown, hint),
    'aria-invalid': shown.error === undefined ? undefined : 'true',
  };
  return (
    `<fieldset${attributes(group)}>\n<legend>` +
    `${escapeHtml(field.label)}${mark(field)}` +
    `${field.required ? '<span class="unseen"> (required)</span>' : ''}</legend>` +
    `${note}\n${rows.join('\n')}${errorText(shown)}\n</fieldset>`
  );
};

const file = (shown: ShownField): string => {
  const { accept, multiple } = shown.field;
  const hint = accept === '' ? '' : `Accepted file types: ${accept}`;
  const more = { type: 'file', multiple, accept: accept === '' ? undefined : accept };
  return frame(shown, hint, `<input${attributes({ ...base(shown, hint), ...more })}>`);
};

/** The HTML of one field, with everything from the author and the sender escaped or sanitized. */
export const renderField = (shown: ShownField): string => {
  const { field, index, values } = shown;
  switch (field.type) {
    case 'html':
      return `<div class="content">${safeContent(field.initial)}</div>`;
    case 'hidden':
      return `<input${attributes({ type: 'hidden', name: inputName(index), value: values[0] ?? '' })}>`;
    case 'textarea':
      return textarea(shown);
    case 'dropdown':
      return field.multiple ? choices(shown) : dropdown(shown);
    case 'checkbox':
    case 'radio':
      return choices(shown);
    case 'file':
      return file(shown);
    default:
      return input(shown);
  }
};
