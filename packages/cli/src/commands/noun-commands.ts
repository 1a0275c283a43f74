import { isObject } from '@weft/apply';
import type { Weft } from '@weft/client';
import { CommandError, EXIT, type ExitCode } from '../session/exit-code';
import type { Call, CommandSpec, OptionSpec } from './command';
import { countOf, jsonInput } from './input';
import { VERBS } from './nouns.gen';

/** A parameter or a field of a body. */
export interface FieldSpec {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'json';
  readonly required?: true;
  readonly choices?: readonly (string | number | boolean)[];
  readonly description: string;
}

/** A verb of a noun, and the operation that it calls. */
export interface VerbSpec {
  readonly path: string;
  readonly summary: string;
  readonly method: string;
  readonly address: string;
  /** The list has pages. */
  readonly pages?: true;
  readonly params: readonly FieldSpec[];
  readonly query: readonly FieldSpec[];
  /** Absent: the operation has no body. */
  readonly body?: readonly FieldSpec[];
}

/** Values that must not be arguments, which other users of the machine can see. */
const SECRETS: readonly string[] = ['credential.data', 'user.password'];

const MAX_LIMIT = 10_000;
const DEFAULT_LIMIT = '1000';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isSecret = (path: string, { name }: FieldSpec): boolean => SECRETS.includes(`${path.split(' ')[0]}.${name}`);

/** A secret of one line has no option: it comes from the environment. */
const isVariableOnly = (path: string, field: FieldSpec): boolean => isSecret(path, field) && field.type !== 'json';

const valueName = ({ type }: FieldSpec, secret: boolean): string => {
  if (secret) return 'FILE';
  return type === 'json' ? 'JSON' : type === 'number' ? 'NUMBER' : type === 'boolean' ? 'BOOLEAN' : 'TEXT';
};

const optionOf =
  (path: string) =>
  (field: FieldSpec): OptionSpec => {
    const secret = isSecret(path, field);
    const how = secret ? ', as @FILE or - for stdin' : field.type === 'json' ? ', or @FILE, or - for stdin' : '';
    const choices = field.type === 'boolean' ? ['true', 'false'] : field.choices?.map(String);
    return {
      flags: `--${kebab(field.name)} ${valueName(field, secret)}`,
      description: `${field.description || field.name}${how}`,
      ...(choices === undefined ? {} : { choices }),
    };
  };

const refuse = (message: string): never => {
  throw new CommandError(message, EXIT.usage);
};

/** The value of an option in the type of its field. */
const valueOf = ({ io, options }: Call, path: string, field: FieldSpec): unknown => {
  const option = `--${kebab(field.name)}`;
  const text = options.text(field.name);
  if (text === undefined) return undefined;
  if (isSecret(path, field)) {
    if (text !== '-' && !text.startsWith('@'))
      refuse(`${option}: other users could see a secret in the arguments. Use ${option} @FILE, - or --from-env.`);
    if (field.type !== 'json') return refuse(`${option}: use --from-env ${field.name}=VARIABLE.`);
  }
  if (field.type === 'json') return jsonInput(io, option, text);
  if (field.type === 'boolean') return text === 'true';
  if (field.type === 'number')
    return Number.isFinite(Number(text)) ? Number(text) : refuse(`${option} must be a number.`);
  return text;
};

const valuesOf = (call: Call, path: string, fields: readonly FieldSpec[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(call, path, field);
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );

/** Sets `data.value` and the like from variables of the environment. */
const withVariables = (
  { io, options }: Call,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  options.list('fromEnv').reduce((whole, text) => {
    const [, field = '', variable = ''] = /^([\w.-]{1,200})=(\w{1,200})$/.exec(text) ?? [];
    const value = io.env[variable];
    if (field === '') refuse(`--from-env ${text}: use FIELD=VARIABLE, for example data.value=ERP_TOKEN.`);
    if (value === undefined) refuse(`--from-env: the variable ${variable} is not set.`);
    const [first = '', ...rest] = field.split('.');
    const name = rest.join('.');
    if (name === '') return { ...whole, [first]: value };
    const inner = whole[first];
    return { ...whole, [first]: { ...(isObject(inner) ? inner : {}), [name]: value } };
  }, body);

const wayToSet =
  (path: string) =>
  (field: FieldSpec): string =>
    isVariableOnly(path, field) ? `--from-env ${field.name}=VARIABLE` : `--${kebab(field.name)}`;

const bodyOf = (call: Call, { path, body }: VerbSpec): unknown => {
  if (body === undefined) return undefined;
  const whole = call.options.text('body');
  const given: unknown = whole === undefined ? {} : jsonInput(call.io, '--body', whole);
  if (!isObject(given)) return refuse('--body must be an object.');
  const merged = withVariables(call, { ...given, ...valuesOf(call, path, body) });
  const missing = body.filter(({ name, required }) => required === true && merged[name] === undefined);
  if (missing.length > 0) refuse(`Missing: ${missing.map(wayToSet(path)).join(', ')}. See: weft ${path} --help`);
  return merged;
};

const isPage = (body: unknown): body is { readonly data: readonly unknown[]; readonly nextCursor?: string | null } =>
  typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data);

const listAll = async (
  weft: Weft,
  { method, address }: VerbSpec,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<{ readonly entries: readonly unknown[]; readonly hasMore: boolean }> => {
  const entries: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = { limit: Math.min(100, Math.max(1, limit - entries.length)), ...query };
    const { body } = await weft.request(method, address, {
      path,
      query: { ...page, ...(cursor === undefined ? {} : { cursor }) },
    });
    if (!isPage(body)) return { entries, hasMore: false };
    entries.push(...body.data);
    cursor = body.nextCursor ?? null;
    if (entries.length >= limit) return { entries: entries.slice(0, limit), hasMore: cursor !== null };
  }
  return { entries, hasMore: false };
};

const run =
  (verb: VerbSpec) =>
  async (call: Call): Promise<ExitCode> => {
    const { args, options, print, io } = call;
    const path = Object.fromEntries(verb.params.map(({ name }, index) => [name, args[index] ?? '']));
    const query = valuesOf(call, verb.path, verb.query);
    const body = bodyOf(call, verb);
    const weft = call.weft();
    if (verb.pages === true) {
      const limit = countOf('--limit', options.text('limit') ?? DEFAULT_LIMIT, MAX_LIMIT, MAX_LIMIT);
      const { entries, hasMore } = await listAll(weft, verb, path, query, limit);
      print.list(entries);
      if (hasMore) io.err(`There are more: use --limit, at most ${MAX_LIMIT}, or a filter.\n`);
      return EXIT.success;
    }
    const answer = await weft.request(verb.method, verb.address, {
      path,
      query,
      ...(body === undefined ? {} : { body }),
    });
    const data = isObject(answer.body) && 'data' in answer.body ? answer.body['data'] : answer.body;
    if (Array.isArray(data)) print.list(data);
    else
      print.one(
        isObject(data) && data['id'] === undefined && path['id'] !== undefined ? { id: path['id'], ...data } : data,
      );
    return EXIT.success;
  };

const commandOf = (verb: VerbSpec): CommandSpec => {
  const option = optionOf(verb.path);
  return {
    path: verb.path,
    summary: verb.summary,
    args: verb.params.map(({ name, description }) => ({ name: kebab(name), description })),
    options: [
      ...verb.query.map(option),
      ...(verb.body ?? []).filter((field) => !isVariableOnly(verb.path, field)).map(option),
      ...(verb.pages === true
        ? [{ flags: '--limit NUMBER', description: `maximum number of entries; default ${DEFAULT_LIMIT}` }]
        : []),
      ...(verb.body === undefined
        ? []
        : [
            { flags: '--body JSON', description: 'the whole body, or @FILE, or - for stdin' },
            {
              flags: '--from-env FIELD=VARIABLE',
              description: 'set a field from the environment',
              repeats: true as const,
            },
          ]),
    ],
    run: run(verb),
  };
};

export const NOUN_COMMANDS: readonly CommandSpec[] = VERBS.map(commandOf);
