import { html, type Html, withCode } from './html';
import type { Schema } from './schema';

const NONE: Html = html``;

/** Address of a component. */
const schemaAddress = (title: string): string => `/docs/schemas/#schema-${title}`;

const withoutNull = (choices: readonly Schema[]): readonly Schema[] => choices.filter(({ type }) => type !== 'null');

/** A link to the component, or the name of the type. */
const typeText = (schema: Schema): Html => {
  const { title, type, items, oneOf, anyOf, format, additionalProperties } = schema;
  const choices = oneOf ?? anyOf;
  if (title !== undefined) return html`<a href="${schemaAddress(title)}">${title}</a>`;
  if (choices !== undefined) {
    const shown = withoutNull(choices).map((one, index) => (index === 0 ? typeText(one) : html` or ${typeText(one)}`));
    return shown.length === choices.length ? html`${shown}` : html`${shown} or null`;
  }
  if (items !== undefined) return html`list of ${typeText(items)}`;
  if (typeof additionalProperties === 'object') return html`object of ${typeText(additionalProperties)}`;
  if (type === undefined) return html`anything`;
  const names = typeof type === 'string' ? [type] : type;
  return html`${names.join(' or ')}${format === undefined ? '' : ` (${format})`}`;
};

const rangeText = (from: number | undefined, to: number | undefined, unit: string): readonly string[] => {
  if (from === undefined && to === undefined) return [];
  if (from === undefined || (from === 0 && unit !== '')) return to === undefined ? [] : [`at most ${to}${unit}`];
  if (to === undefined) return unit !== '' && from === 1 ? ['not empty'] : [`at least ${from}${unit}`];
  return [`${from} to ${to}${unit}`];
};

/** Limits of values, in words. */
const limitsOf = (schema: Schema): readonly string[] => [
  ...(schema.enum === undefined ? [] : [`one of ${schema.enum.map((word) => `\`${String(word)}\``).join(', ')}`]),
  ...rangeText(schema.minimum, schema.maximum, ''),
  ...rangeText(schema.minLength, schema.maxLength, ' characters'),
  ...rangeText(schema.minItems, schema.maxItems, ' entries'),
  ...(schema.pattern === undefined ? [] : [`matches \`${schema.pattern}\``]),
  ...(schema.default === undefined ? [] : [`default \`${String(schema.default)}\``]),
];

/** Fields of nested objects that are not components. */
const innerFields = (schema: Schema): Html => {
  const inner = schema.items ?? schema;
  return inner.title === undefined && inner.properties !== undefined ? showFields(inner) : NONE;
};

/** One field of an object, or a parameter. @param note such as `required` */
export const fieldRow = (name: string, field: Schema, note = ''): Html => {
  const limits = limitsOf(field);
  return html`<li>
    <code class="name">${name}</code> <span class="type">${typeText(field)}</span>${
      note === '' ? NONE : html` <span class="note ${note === 'required' ? note : ''}">${note}</span>`
    }${field.description === undefined ? NONE : html`<div>${withCode(field.description)}</div>`}${
      limits.length === 0 ? NONE : html`<div class="limits">${withCode(limits.join('; '))}</div>`
    }${innerFields(field)}
  </li>`;
};

/** The fields of an object as a list. */
export const showFields = ({ properties = {}, required = [] }: Schema): Html => {
  const rows = Object.entries(properties).map(([name, field]) =>
    fieldRow(name, field, required.includes(name) ? 'required' : ''),
  );
  return rows.length === 0
    ? NONE
    : html`<ul class="fields">
        ${rows}
      </ul>`;
};

/** A schema: its fields, or its type. */
export const showSchema = (schema: Schema): Html =>
  schema.properties === undefined || schema.title !== undefined
    ? html`<p class="type">${typeText(schema)}</p>
        ${innerFields(schema)}`
    : showFields(schema);

/** Every component that a schema uses, by name. */
export const componentsOf = (schema: Schema): readonly (readonly [string, Schema])[] => {
  const { title, items, properties, oneOf, anyOf, additionalProperties } = schema;
  const parts = [
    ...(items === undefined ? [] : [items]),
    ...Object.values(properties ?? {}),
    ...(oneOf ?? []),
    ...(anyOf ?? []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return [...(title === undefined ? [] : [[title, schema] as const]), ...parts.flatMap(componentsOf)];
};
