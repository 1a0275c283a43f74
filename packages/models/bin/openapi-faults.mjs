/** Fields that services other than OpenAI have in requests of the same format. */
const OF_OTHERS = new Set([
  'provider', // OpenRouter
  'random_seed', // Mistral
  'reasoning', // OpenRouter, in chat completions
  'reasoning_split', // MiniMax
  'safe_prompt', // Mistral
  'top_k', // OpenRouter and servers such as vLLM
]);

/** Fields that a test of fields from the user adds to requests. */
const OF_TESTS = new Set(['extra', 'generationConfig', 'options']);

/** Names of the fields that a schema of an object has, with those of the schemas that it is composed of. */
export function fieldsOf(schemas, name) {
  const fields = new Set();
  const visit = (schema) => {
    if (schema.$ref !== undefined) return visit(schemas[schema.$ref.split('/').at(-1)]);
    for (const one of schema.allOf ?? []) visit(one);
    for (const field of Object.keys(schema.properties ?? {})) fields.add(field);
  };
  visit(schemas[name]);
  return fields;
}

/** Words of a schema that hold data instead of schemas. */
const DATA = new Set(['default', 'example', 'examples']);

/**
 * A schema for JSON Schema: without examples, and with `anyOf` for `oneOf`, whose alternatives overlap in the document:
 * a field tells which of them applies, which JSON Schema does not know.
 * @param hasNames true for an object with schemas by name
 */
export function plainSchema(value, hasNames = false) {
  if (Array.isArray(value)) return value.map((one) => plainSchema(one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    if (!hasNames && (DATA.has(name) || name.startsWith('x-'))) return [];
    if (!hasNames && name === 'enum') return [[name, inner]];
    const plain = plainSchema(inner, !hasNames && (name === 'properties' || name === 'schemas'));
    return [[!hasNames && name === 'oneOf' ? 'anyOf' : name, plain]];
  });
  return Object.fromEntries(entries);
}

/** Faults of the body of a request: the deepest places that no schema allows, and unknown fields. */
export function faultsOf(body, { validator, fields }) {
  const unknown = Object.keys(body).filter((name) => !fields.has(name) && !OF_OTHERS.has(name) && !OF_TESTS.has(name));
  const { valid, errors } = validator.validate(body);
  const depth = ({ instanceLocation }) => instanceLocation.split('/').length;
  const deepest = Math.max(...errors.map(depth));
  const places = valid
    ? []
    : errors
        .filter((error) => depth(error) === deepest)
        .map(({ instanceLocation, error }) => `${instanceLocation.replaceAll(/\/\d+/g, '/*')}: ${error}`);
  return [...new Set([...unknown.map((name) => `#/${name}: unknown field`), ...places])];
}
