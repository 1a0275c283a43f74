import type * as Checks from '@weft/app-model/document';
import { MAX_FIELD_ERRORS } from '@weft/node-catalogue';
import { describeKind } from '@weft/nodes/descriptors';
import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { parseJson } from '@weft/service-kit/json';
import { PayloadTooLarge } from '../errors';

/** A checked document. */
export interface CheckedApp {
  readonly label: string;
  readonly digest: string;
  readonly kinds: readonly string[];
  /** Canonical JSON. */
  readonly json: string;
}

/**
 * Checks the document of an app.
 * @param name that it must have
 * @throws InvalidRequest with the path of every problem; PayloadTooLarge
 */
export type CheckApp = (name: string, document: Buffer) => Promise<CheckedApp>;

const MAX_MESSAGE = 300;

const refuse = (errors: readonly FieldError[]): never => {
  const shown = errors.slice(0, MAX_FIELD_ERRORS).map(({ field, message }) => ({
    field: field.slice(0, MAX_MESSAGE),
    message: message.slice(0, MAX_MESSAGE),
  }));
  const [first] = shown;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  throw new InvalidRequest(`The app cannot be stored: ${first?.field ?? ''}: ${first?.message ?? ''}${more}`, shown);
};

/** Loads the checks with the first app: most processes never need them. */
const loadChecks = (): typeof Checks => {
  const checks: typeof Checks = require('@weft/app-model/document');
  return checks;
};

export const createCheckApp = (): CheckApp =>
  async function checkApp(name, document) {
    const { canonicalJson, checkAppDocument, digestOf, MAX_APP_BYTES } = loadChecks();
    if (document.length > MAX_APP_BYTES)
      throw new PayloadTooLarge(`An app may have at most ${MAX_APP_BYTES / 1_024} KB of JSON.`);
    const checked = checkAppDocument(parseJson(document));
    if (checked.kind === 'problems')
      return refuse(checked.problems.map(({ path, message }) => ({ field: path, message })));
    const { app } = checked;
    const kinds = Object.keys(app.kinds);
    const errors = [
      ...(app.name === name ? [] : [{ field: 'name', message: `must be ${name}, as in the address.` }]),
      ...kinds
        .filter((kind) => describeKind(kind) !== undefined)
        .map((kind) => ({ field: `kinds.${kind}`, message: 'Weft has a kind of this name. Use another one.' })),
    ];
    if (errors.length > 0) return refuse(errors);
    return { label: app.label, digest: digestOf(app), kinds, json: canonicalJson(app) };
  };
