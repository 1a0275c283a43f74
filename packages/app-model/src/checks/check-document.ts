import { Ajv, type ErrorObject } from 'ajv';
import { isJsonObject, type Json } from '@weft/service-kit/json-values';
import schema from '../../weft-app-1.schema.json';
import type { AppDocument } from '../app-document.gen';
import { MAX_DEPTH, MAX_VALUES, pathText, type Step, valueAt } from '../source/paths';
import type { SourceProblem } from '../source/read-source';
import { checkNames } from './check-names';
import { parameterNameProblems } from './check-parameter-names';
import { checkTemplates } from './check-templates';
import { triggerProblems } from './check-user-app';

/** An app without problems, or all problems of its document. */
export type CheckedDocument =
  | { readonly kind: 'app'; readonly app: AppDocument }
  | { readonly kind: 'problems'; readonly problems: readonly DocumentProblem[] };

/** One thing that is wrong with an app. */
export interface DocumentProblem {
  /** Path of the value, such as `calls.api.url`; empty for the whole app. */
  readonly path: string;
  readonly message: string;
}

/** Longest string that a pattern for names may match: such patterns may take quadratic time. */
const MAX_NAME = 1_000;

interface LinearPattern {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/** Regular expressions of the schema, for strings of any length. The validator tells them apart by their text. */
const linear = (pattern: string, flags: string): LinearPattern => {
  // Linear or on at most MAX_NAME characters: patterns of the schema, which ends those for names with `$`.
  const expression = new RegExp(pattern, flags);
  const isForNames = pattern.endsWith('$');
  return {
    test: (text) => (isForNames && text.length > MAX_NAME ? false : expression.test(text)),
    toString: () => expression.source,
  };
};
linear.code = 'new RegExp';

const definition: object = schema;
// Keywords of the generator of types mean nothing here.
const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, allowUnionTypes: true, code: { regExp: linear } });
const isApp = ajv.compile<AppDocument>(definition);

/** Checks an app that a user adds to an instance. Problems with the form hide those with the content. */
export function checkAppDocument(value: Json): CheckedDocument {
  const size = sizeProblem(value);
  const found = size === undefined ? problemsOf(value, 'user') : { kind: 'problems' as const, problems: [size] };
  if (found.kind === 'app') return found;
  return { kind: 'problems', problems: found.problems.map(({ path, message }) => ({ path: pathText(path), message })) };
}

function sizeProblem(value: Json): SourceProblem | undefined {
  let count = 0;
  let problem: SourceProblem | undefined;
  const walk = (one: Json, path: readonly Step[]): void => {
    count += 1;
    if (problem !== undefined) return;
    if (path.length > MAX_DEPTH) problem = { path, message: `The app is nested deeper than ${MAX_DEPTH} levels.` };
    else if (count > MAX_VALUES) problem = { path: [], message: `The app has more than ${MAX_VALUES} values.` };
    else if (Array.isArray(one)) one.forEach((entry, index) => walk(entry, [...path, index]));
    else if (isJsonObject(one)) for (const [name, entry] of Object.entries(one)) walk(entry, [...path, name]);
  };
  walk(value, []);
  return problem;
}

/** Where an app comes from: apps of the build may have triggers. */
export type AppOrigin = 'build' | 'user';

/** The app, or problems with their paths. */
export function problemsOf(
  value: Json,
  origin: AppOrigin,
): { kind: 'app'; app: AppDocument } | { kind: 'problems'; problems: readonly SourceProblem[] } {
  if (!isApp(value))
    return { kind: 'problems', problems: (isApp.errors ?? []).flatMap((one) => formProblem(one, value)) };
  const problems = [
    ...checkNames(value),
    ...checkTemplates(value),
    ...parameterNameProblems(value),
    ...(origin === 'user' ? triggerProblems(value) : []),
  ];
  return problems.length === 0 ? { kind: 'app', app: value } : { kind: 'problems', problems };
}

/** A sentence for an error of the schema. Errors that only repeat one below them are left out. */
function formProblem(error: ErrorObject, value: Json): SourceProblem[] {
  const path = stepsOf(error.instancePath, value);
  switch (error.keyword) {
    case 'additionalProperties':
      return [{ path: [...path, String(error.params['additionalProperty'])], message: 'The field is not known.' }];
    case 'required':
      return [{ path, message: `The field \`${String(error.params['missingProperty'])}\` is missing.` }];
    case 'enum':
      return [{ path, message: `The value must be one of ${JSON.stringify(error.params['allowedValues'])}.` }];
    case 'const':
      return [{ path, message: `The value must be ${JSON.stringify(error.params['allowedValue'])}.` }];
    case 'propertyNames':
      return [{ path, message: `The name ${JSON.stringify(error.params['propertyName'])} is not allowed.` }];
    case 'anyOf':
      return [];
    case 'pattern':
      // Names of fields are reported by `propertyNames`.
      return error.propertyName === undefined ? [{ path, message: formMessage(error) }] : [];
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return [{ path, message: error.params['limit'] === 1 ? 'The value must not be empty.' : formMessage(error) }];
    default:
      return [{ path, message: formMessage(error) }];
  }
}

/** Sentence about the form that a value must have: the words of the schema for a pattern that has some. */
function formMessage({ keyword, message = 'is wrong', parentSchema }: ErrorObject): string {
  const form: unknown = keyword === 'pattern' ? parentSchema?.['description'] : undefined;
  return typeof form === 'string' ? `The value must have this form: ${form}` : `The value ${message}.`;
}

function stepsOf(pointer: string, value: Json): Step[] {
  const steps: Step[] = [];
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(valueAt(value, steps)) ? Number(name) : name);
  }
  return steps;
}
