/*
 * Prints the types of app documents, generated from weft-app-1.schema.json: npm run apps:gen
 */
import { readFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';

const schema = JSON.parse(readFileSync(new URL('../weft-app-1.schema.json', import.meta.url), 'utf8'));
const banner = [
  '/*',
  ' * Generated from weft-app-1.schema.json by `npm run apps:gen`. Do not edit.',
  ' */',
  "import type { Json, JsonObject } from '@weft/service-kit/json-values';",
].join('\n');

/** The text of app-document.gen.ts. */
export async function appTypes() {
  const text = await compile(schema, 'AppDocument', {
    bannerComment: banner,
    unreachableDefinitions: true,
    additionalProperties: false,
    format: false,
  });
  const withoutNotes = text
    .replaceAll(/\n \* ?\n \* This interface was referenced by[^/]*\*\//g, '\n */')
    .replaceAll(/\/\*\*\n \* This interface was referenced by[^/]*\*\/\n/g, '');
  return format(withoutNotes, { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' });
}
