import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import type { Json } from '@weft/service-kit/json-values';
import type { AppDocument } from '../app-document.gen';
import { pathText, readSource, type SourceProblem, type Step, valueAt } from '../source/read-source';
import { checkNames } from './check-names';
import { checkTemplates } from './check-templates';

/** One thing that is wrong with an app file. */
export interface AppProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Path of the value, such as `calls.api.url`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** An app without problems, or all problems of its file. */
export type CheckedApp =
  | { readonly kind: 'app'; readonly app: AppDocument }
  | { readonly kind: 'problems'; readonly problems: readonly AppProblem[] };

const schema: object = JSON.parse(readFileSync(join(__dirname, '../../../weft-app-1.schema.json'), 'utf8'));
// Keywords of the generator of types mean nothing here.
const ajv = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });
const isApp = ajv.compile<AppDocument>(schema);

/**
 * Reads an app file and checks it against the schema and against itself: names, hosts, credentials and expressions.
 * Problems with the form hide those with the content.
 * @param file name of the file, for messages
 */
export function checkApp(file: string, text: string): CheckedApp {
  const source = readSource(text);
  if ('message' in source)
    return { kind: 'problems', problems: [{ file, line: source.line, path: '', message: source.message }] };
  const { value, lineOf } = source;
  const found = problemsOf(value);
  if (found.kind === 'app') return found;
  const problems = found.problems.map(({ path, message, below = 0 }) => ({
    file,
    line: lineOf(path) + below,
    path: pathText(path),
    message,
  }));
  return { kind: 'problems', problems: problems.sort((one, other) => one.line - other.line) };
}

function problemsOf(
  value: Json,
): { kind: 'app'; app: AppDocument } | { kind: 'problems'; problems: readonly SourceProblem[] } {
  if (!isApp(value))
    return { kind: 'problems', problems: (isApp.errors ?? []).flatMap((one) => formProblem(one, value)) };
  const problems = [...checkNames(value), ...checkTemplates(value)];
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
      return error.propertyName === undefined ? [{ path, message: `The value ${error.message ?? 'is wrong'}.` }] : [];
    default:
      return [{ path, message: `The value ${error.message ?? 'is wrong'}.` }];
  }
}

function stepsOf(pointer: string, value: Json): Step[] {
  const steps: Step[] = [];
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(valueAt(value, steps)) ? Number(name) : name);
  }
  return steps;
}
