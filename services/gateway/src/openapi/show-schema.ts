import { html, type Html, withCode } from './html';
import type { Schema } from './schema';

const NONE: Html = html``;

/** A link to the component, or the name of the type. */
const typeText = (schema: Schema): Html => {
  const { title, type, items, oneOf, anyOf, format } = schema;
  const choices = oneOf ?? anyOf;
  if (title !== undefined) return html`<a href="#schema-${title}">${title}</a>`;
  if (choices !== undefined)
    return html`${choices.map((one, index) => (index === 0 ? typeText(one) : html` or ${typeText(one)}`))}`;
  if (type === undefined) return html`anything`;
  const names = typeof type === 'string' ? [type] : type;
  if (items !== undefined) return html`list of ${typeText(items)}`;
  return html`${names.join(' or ')}${format === undefined ? '' : `, ${format}`}`;
};

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'default'] as const;

const boundsText = (schema: Schema): Html => {
  const bounds = BOUNDS.flatMap((name) => (schema[name] === undefined ? [] : [`${name} ${String(schema[name])}`]));
  const words = schema.enum === undefined ? [] : [`one of ${schema.enum.map(String).join(', ')}`];
  const all = [...words, ...bounds];
  return all.length === 0 ? NONE : html` <span class="bounds">${all.join('; ')}</span>`;
};

/** Fields of nested objects that are not components. */
const innerFields = (schema: Schema): Html => {
  const inner = schema.items ?? schema;
  return inner.title === undefined && inner.properties !== undefined ? showFields(inner) : NONE;
};

/** The fields of an object as a list. */
export const showFields = ({ properties = {}, required = [] }: Schema): Html => {
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<li>
        <code>${name}</code> ${typeText(field)}${boundsText(field)}${
          required.includes(name) ? NONE : html` <span class="bounds">may be missing</span>`
        }${field.description === undefined ? NONE : html`: ${withCode(field.description)}`}${innerFields(field)}
      </li>`,
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
    ? html`<p>${typeText(schema)}${boundsText(schema)}</p>
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
