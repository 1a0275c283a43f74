import type { Schema } from './schema';

/** A schema in the document, with titled schemas replaced by references to components. */
export type PlacedSchema = Readonly<Record<string, unknown>>;

/** Collects the components of a document. */
export interface Components {
  /** The schema to write in its place. @throws Error if another schema has the same title */
  readonly place: (schema: Schema) => PlacedSchema;
  /** Schemas of the components by name, in alphabetical order. */
  readonly all: () => Readonly<Record<string, PlacedSchema>>;
}

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

export const createComponents = (): Components => {
  const placed = new Map<string, { readonly schema: Schema; readonly written: PlacedSchema }>();
  const write = (schema: Schema): PlacedSchema => {
    const { items, properties, additionalProperties, oneOf, anyOf, example: _example, ...own } = schema;
    return {
      ...own,
      ...(items === undefined ? {} : { items: place(items) }),
      ...(properties === undefined ? {} : { properties: mapValues(properties, place) }),
      ...(additionalProperties === undefined
        ? {}
        : {
            additionalProperties:
              typeof additionalProperties === 'boolean' ? additionalProperties : place(additionalProperties),
          }),
      ...(oneOf === undefined ? {} : { oneOf: oneOf.map(place) }),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map(place) }),
    };
  };
  const place = (schema: Schema): PlacedSchema => {
    const { title } = schema;
    if (title === undefined) return write(schema);
    const known = placed.get(title);
    if (known === undefined) placed.set(title, { schema, written: write(schema) });
    else if (JSON.stringify(known.schema) !== JSON.stringify(schema))
      throw new Error(`Two schemas have the title ${title}.`);
    return { $ref: `#/components/schemas/${title}` };
  };
  return {
    place,
    all: () =>
      Object.fromEntries(
        [...placed].map(([title, { written }]) => [title, written] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
};
