import { isJsonObject, kindOf, type Json } from '@weft/node-catalogue/definitions';
import type { WorkflowDocument } from '../document';
import type { Path } from '../json/tree';
import { referencesIn } from './find-in-text';
import type { NodeReference, OpenReference, ReferringText } from './reference';

/** Parameters that are code, by kind. */
const CODE_PARAMETERS: Readonly<Record<string, string>> = {
  aiTransform: 'jsCode',
  code: 'jsCode',
  function: 'functionCode',
  functionItem: 'functionCode',
};

/** All strings of a workflow that can refer to nodes: expressions, and the sources of Code nodes. */
export function referringTexts(document: WorkflowDocument): ReferringText[] {
  return document.entries().flatMap(({ index, name, json }) => {
    const { type, parameters } = json;
    const kind = typeof type === 'string' ? kindOf(type) : undefined;
    const codeKey = kind !== undefined && Object.hasOwn(CODE_PARAMETERS, kind) ? CODE_PARAMETERS[kind] : undefined;
    const found: ReferringText[] = [];
    const visit = (value: Json | undefined, path: Path): void => {
      if (typeof value === 'string') {
        const isCode = codeKey !== undefined && path.length === 4 && path[3] === codeKey;
        if (isCode || value.startsWith('='))
          found.push({
            owner: name,
            path,
            language: isCode && !value.startsWith('=') ? 'code' : 'expression',
            text: value,
          });
      } else if (Array.isArray(value)) value.forEach((entry, at) => visit(entry, [...path, at]));
      else if (isJsonObject(value)) for (const [key, entry] of Object.entries(value)) visit(entry, [...path, key]);
    };
    visit(parameters, ['nodes', index, 'parameters']);
    return found;
  });
}

/** All references of a workflow to its nodes, with positions in the strings that they are in. */
export function findReferences(document: WorkflowDocument): NodeReference[] {
  return referringTexts(document).flatMap(({ owner, path, language, text }) =>
    referencesIn(text, language).references.map((reference) => ({ ...reference, owner, path, language })),
  );
}

/** Places whose node is only known in a run: `$(name)`. A rename cannot follow them. */
export function findOpenReferences(
  document: WorkflowDocument,
): (OpenReference & Pick<ReferringText, 'owner' | 'path'>)[] {
  return referringTexts(document).flatMap(({ owner, path, language, text }) =>
    referencesIn(text, language).open.map((place) => ({ ...place, owner, path })),
  );
}

/** Names of the nodes whose data an expression reads; `all` if it computes a name. For previews. */
export function nodesReadBy(text: string): ReadonlySet<string> | 'all' {
  const { references, open } = referencesIn(text, 'expression');
  return open.length > 0 ? 'all' : new Set(references.map(({ node }) => node));
}
