import type { JsonObject } from '@weft/service-kit/json-values';
import { checkApp } from '../checks/check-app';
import { MAX_APP_BYTES } from '../source/paths';
import { draftDocument, type DraftNames } from './draft-app';
import { type ApiOperation, apiOperationsOf, findOperations } from './find-operations';
import { DraftError, readOpenApi } from './read-openapi';
import { References } from './references';
import { writeDraft } from './write-draft';

export type { DraftNames } from './draft-app';
export type { ApiOperation } from './find-operations';
export { DraftError, MAX_JSON_BYTES } from './read-openapi';

/** Names of apps, as the schema has them. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** A document of which operations are drafted. */
export interface DraftSource {
  readonly operations: readonly ApiOperation[];
  /**
   * Drafts an app with these operations. It has no problems.
   * @throws DraftError for unknown operations, names that no app has, and a file that would be too large
   */
  readonly draft: (ids: readonly string[], names?: DraftNames) => DraftedApp;
}

/** A drafted app. */
export interface DraftedApp {
  readonly document: JsonObject;
  /** The document as YAML, with comments on the parts that a person has to write. */
  readonly yaml: string;
}

/** Reads an OpenAPI document. @throws DraftError for any other document */
export function openDraft(file: string, text: string): DraftSource {
  const openApi = readOpenApi(file, text);
  const operations = apiOperationsOf(openApi, new References(openApi.root));
  return {
    operations,
    draft: (ids, names = {}) => {
      const { name } = names;
      if (name !== undefined && !NAME.test(name))
        throw new DraftError(`"${name.slice(0, 60)}" is not a name of an app: use up to 40 of a-z, 0-9 and "-".`);
      const references = new References(openApi.root);
      const { document, comments } = draftDocument(openApi, references, findOperations(operations, ids), names);
      const yaml = writeDraft(document, comments);
      if (Buffer.byteLength(yaml) > MAX_APP_BYTES)
        throw new DraftError(`The app would have more than ${MAX_APP_BYTES / 1024} KB: choose fewer operations.`);
      const checked = checkApp('draft', yaml);
      if (checked.kind === 'app') return { document, yaml };
      const [first] = checked.problems;
      throw new DraftError(`The draft is not an app: ${first?.path ?? ''}: ${first?.message ?? ''}`);
    },
  };
}
