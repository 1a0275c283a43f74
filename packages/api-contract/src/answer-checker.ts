import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { isPart, type JsonPart, partAt, textsAt } from './json-parts';

/** An answer of the API, as a client saw it. */
export interface SeenAnswer {
  readonly method: string;
  /** Below the address of the API, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  readonly text: string;
}

/** Says what is wrong with an answer by the document of the API; nothing if it is as documented. */
export type CheckAnswer = (answer: SeenAnswer) => readonly string[];

/** Headers that a client may act on: an answer that has one of them must name it. */
const WORTH_NAMING = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/**
 * The document with every object closed that has fields. The document itself is open, so that a new field breaks no
 * client; in tests a field that it does not name is a fault.
 */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (!isPart(value)) return value;
  const all = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
  return value['type'] === 'object' && isPart(value['properties']) && value['additionalProperties'] === undefined
    ? { ...all, additionalProperties: false }
    : all;
};

const pathPattern = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.+*?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}/?$`);

/** A path of the document, those without parameters first. */
interface Operations {
  readonly template: string;
  readonly pattern: RegExp;
  readonly byMethod: JsonPart;
}

const operationsOf = (document: JsonPart): readonly Operations[] =>
  Object.entries(partAt(document, 'paths') ?? {})
    .flatMap(([template, byMethod]) =>
      isPart(byMethod) ? [{ template, pattern: pathPattern(template), byMethod }] : [],
    )
    .sort((one, other) => Number(one.template.includes('{')) - Number(other.template.includes('{')));

const escaped = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Checks responses against an OpenAPI document. @throws Error if the document is invalid */
export const answerChecker = (document: unknown): CheckAnswer => {
  const root = partAt(closed(document));
  if (root === undefined || partAt(root, 'paths') === undefined) throw new Error('This is not an OpenAPI document.');
  const operations = operationsOf(root);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats(ajv);
  ajv.addSchema({ ...root, $id: 'document' });
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  /** A response of an operation and where it is; a reference is followed. */
  const responseAt = (
    template: string,
    method: string,
    status: number,
  ): { readonly response: JsonPart; readonly pointer: string } | undefined => {
    const response = partAt(root, 'paths', template, method, 'responses', String(status));
    const shared = /^#\/components\/responses\/(\w+)$/.exec(String(response?.['$ref']))?.[1];
    if (shared !== undefined) {
      const found = partAt(root, 'components', 'responses', shared);
      return found === undefined ? undefined : { response: found, pointer: `/components/responses/${shared}` };
    }
    const pointer = `/paths/${escaped(template)}/${method}/responses/${status}`;
    return response === undefined ? undefined : { response, pointer };
  };
  const headerFaults = (response: JsonPart, headers: SeenAnswer['headers']): readonly string[] => {
    const named = partAt(response, 'headers') ?? {};
    const missing = Object.keys(named).filter((name) => {
      const isRequired = partAt(root, 'components', 'headers', name)?.['required'] === true;
      return isRequired && !headers.has(name);
    });
    // The description of Deprecation names the Link that comes with it.
    const isExplained = (name: string): boolean =>
      name === 'Link' && headers.has('Deprecation') && named['Deprecation'] !== undefined;
    const unknown = WORTH_NAMING.filter((name) => headers.has(name) && named[name] === undefined && !isExplained(name));
    return [...missing.map((name) => `has no header ${name}`), ...unknown.map((name) => `has the header ${name}`)];
  };
  const bodyFaults = (response: JsonPart, pointer: string, { headers, text }: SeenAnswer): readonly string[] => {
    const content = partAt(response, 'content');
    if (content === undefined) return text === '' ? [] : ['has a body'];
    if (content['application/json'] === undefined) return [];
    const type = headers.get('content-type') ?? '';
    if (!type.startsWith('application/json')) return [`is ${type}`];
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return ['is not JSON'];
    }
    const validate = validatorAt(`${pointer}/content/application~1json/schema`);
    const isValid = validate(body);
    const reason = partAt(body, 'error', 'details')?.['reason'];
    const code = partAt(body, 'error')?.['code'];
    const documented = response['x-code'];
    const reasons = textsAt(response, 'x-reasons');
    return [
      ...(isValid
        ? []
        : (validate.errors ?? []).map(
            ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
          )),
      ...(documented === undefined || documented === code ? [] : [`has the code ${String(code)}`]),
      ...(typeof reason === 'string' && !reasons.includes(reason) ? [`has the reason ${reason}`] : []),
    ];
  };
  return (answer) => {
    const method = answer.method.toLowerCase();
    const path = answer.path.split('?')[0] ?? '';
    const found = operations.find(
      ({ pattern, byMethod }) => pattern.test(path) && byMethod[method === 'head' ? 'get' : method] !== undefined,
    );
    const name = `${answer.method} ${path} -> ${answer.status}`;
    // An unknown path or method may only be refused.
    if (found === undefined) return answer.status < 400 ? [`${name}: is not an operation`] : [];
    if (method === 'head') return [];
    const at = responseAt(found.template, method, answer.status);
    if (at === undefined) return [`${name}: is not a documented status`];
    return [...headerFaults(at.response, answer.headers), ...bodyFaults(at.response, at.pointer, answer)].map(
      (fault) => `${name}: ${fault}`,
    );
  };
};
