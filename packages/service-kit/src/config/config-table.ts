import { fileVariableOf, readSecretFile } from './secret-files';

/** One row of a service's configuration table, with its documentation. Key names end in the unit. */
export interface ConfigField<Value> {
  readonly env: string;
  readonly type: string;
  readonly doc: string;
  /** Absent: the variable is required. */
  readonly default?: Value;
  /** Neither logged nor printed. It can be read from the file that `<env>_FILE` names. */
  readonly secret: boolean;
  /** Can be read from a file, although it is not a secret. */
  readonly fromFile?: boolean;
  /** If it comes from a file, the file is re-read while the process runs. */
  readonly live?: boolean;
  /** A setting for tests: undocumented, and may change or disappear at any time. */
  readonly internal?: boolean;
  /** Every service that has it must have the same value; the values are compared at run time. */
  readonly shared?: boolean;
  /** Parses the variable. @throws Error that says what is expected. */
  readonly read: (text: string) => Value;
}

/** A configuration table: key to field. */
export type ConfigTable = Readonly<Record<string, ConfigField<unknown>>>;

/** The values of a table. Live values from files are getters: read them where they are used. */
export type ConfigValues<Table extends ConfigTable> = {
  readonly [Key in keyof Table]: Table[Key] extends ConfigField<infer Value> ? Value : never;
};

/** Variables by name: the process environment, or a test's. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All errors of a configuration, one line each. */
export class ConfigErrors extends Error {
  constructor(readonly errors: readonly string[]) {
    super(`The configuration is invalid:\n${errors.map((error) => `  - ${error}`).join('\n')}`);
    this.name = 'ConfigErrors';
  }
}

/** How files that change at run time are handled. */
export interface Rereading {
  /** Minimum time between checks of the files, in milliseconds. They are checked when a value is used. */
  readonly everyMs?: number;
  /** Called with the variables that have new values. */
  readonly onChanged?: (variables: readonly string[]) => void;
  /** The current files cannot be used, so the previous values stay. Called once for each content. */
  readonly onFailed?: (error: ConfigErrors) => void;
}

/** Delay until a changed file is used: a fraction of what Kubernetes takes to update it. */
const REREAD_MS = 5_000;

export const mayComeFromFile = ({ secret, fromFile }: ConfigField<unknown>): boolean => secret || fromFile === true;

/** Raw values of the variables that are set, and errors of the files they should come from. */
interface Texts {
  readonly texts: Environment;
  readonly errors: readonly string[];
}

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** Path of the file that a variable comes from; undefined if it does not come from a file. */
const pathOf = (field: ConfigField<unknown>, environment: Environment): string | undefined =>
  mayComeFromFile(field) ? given(environment[fileVariableOf(field.env)]) : undefined;

const textOf = (field: ConfigField<unknown>, environment: Environment, errors: string[]): string | undefined => {
  const path = pathOf(field, environment);
  if (path === undefined) return given(environment[field.env]);
  const variable = fileVariableOf(field.env);
  if (given(environment[field.env]) !== undefined) {
    errors.push(`${field.env} and ${variable} are both set. Set one of them.`);
    return undefined;
  }
  try {
    const text = given(readSecretFile(path));
    if (text === undefined && field.default === undefined)
      errors.push(`${variable}: there is nothing in ${JSON.stringify(path)}. ${field.doc}`);
    return text;
  } catch (error) {
    errors.push(`${variable}: ${error instanceof Error ? error.message : 'cannot be read'}.`);
    return undefined;
  }
};

const readTexts = (fields: readonly ConfigField<unknown>[], environment: Environment): Texts => {
  const errors: string[] = [];
  return { texts: Object.fromEntries(fields.map((field) => [field.env, textOf(field, environment, errors)])), errors };
};

const readField = (field: ConfigField<unknown>, { texts, errors: known }: Texts, errors: string[]): unknown => {
  const text = texts[field.env];
  if (text === undefined) {
    const isExplained = known.some((error) => error.startsWith(field.env));
    if (field.default === undefined && !isExplained) errors.push(`${field.env} is not set. ${field.doc}`);
    return field.default;
  }
  try {
    return field.read(text);
  } catch (error) {
    const shown = field.secret ? 'its value' : JSON.stringify(text);
    errors.push(`${field.env}: ${shown} ${error instanceof Error ? error.message : 'is invalid'}. ${field.doc}`);
    return undefined;
  }
};

/** Reads a table: all values, or one error that names every invalid variable. */
export interface ConfigReader<Table extends ConfigTable> {
  readonly table: Table;
  /** @throws ConfigErrors */
  readonly load: (environment?: Environment, rereading?: Rereading) => ConfigValues<Table>;
}

/**
 * Checks values that depend on each other. `former`: the values in use until now; `environment`: the source of the
 * values.
 * @returns one sentence for each error
 */
export type CheckTogether<Table extends ConfigTable> = (
  values: ConfigValues<Table>,
  former: ConfigValues<Table> | undefined,
  environment: Environment,
) => readonly string[];

type Values = Readonly<Record<string, unknown>>;
type Check = (values: Values, former: Values | undefined, environment: Environment) => readonly string[];

const isSame = (one: Environment, other: Environment): boolean =>
  Object.keys(one).every((name) => one[name] === other[name]);

/** The values of a table, with those from files kept current. */
class Loaded {
  readonly #table: ConfigTable;
  readonly #environment: Environment;
  readonly #rereading: Rereading;
  readonly #check: Check;
  #texts: Environment;
  #values: Values;
  #lookedAt = performance.now();
  #refused: string | undefined;

  /** @throws ConfigErrors */
  constructor(table: ConfigTable, check: Check, environment: Environment, rereading: Rereading) {
    this.#table = table;
    this.#check = check;
    this.#environment = environment;
    this.#rereading = rereading;
    const read = readTexts(Object.values(table), environment);
    this.#texts = read.texts;
    this.#values = this.#parse(table, read);
  }

  /** @throws ConfigErrors */
  #parse(table: ConfigTable, read: Texts, former?: Values): Values {
    const errors = [...read.errors];
    const values = Object.fromEntries(
      Object.entries(table).map(([key, field]) => [key, readField(field, read, errors)]),
    );
    if (errors.length === 0) errors.push(...this.#check({ ...former, ...values }, former, this.#environment));
    if (errors.length > 0) throw new ConfigErrors(errors);
    return values;
  }

  /** The values, with getters for those that may change. */
  get values(): Values {
    const live = this.#live();
    const values: Record<string, unknown> = { ...this.#values };
    for (const key of Object.keys(live))
      Object.defineProperty(values, key, { enumerable: true, get: () => this.#current(key) });
    return values;
  }

  #live(): ConfigTable {
    const isLive = ([, field]: [string, ConfigField<unknown>]): boolean =>
      field.live === true && pathOf(field, this.#environment) !== undefined;
    return Object.fromEntries(Object.entries(this.#table).filter(isLive));
  }

  #current(key: string): unknown {
    const now = performance.now();
    if (now - this.#lookedAt >= (this.#rereading.everyMs ?? REREAD_MS)) {
      this.#lookedAt = now;
      this.#readAgain();
    }
    return this.#values[key];
  }

  /** All files of a process change together or not at all, so keys that belong together are never mixed. */
  #readAgain(): void {
    const table = this.#live();
    const fields = Object.values(table);
    const read = readTexts(fields, this.#environment);
    if (read.errors.length === 0 && isSame(read.texts, this.#texts)) return;
    // Files may be replaced between two reads: two equal reads in a row are a consistent snapshot.
    if (!isSame(read.texts, readTexts(fields, this.#environment).texts)) return;
    try {
      this.#values = { ...this.#values, ...this.#parse(table, read, this.#values) };
      const changed = Object.keys(read.texts).filter((name) => read.texts[name] !== this.#texts[name]);
      this.#texts = { ...this.#texts, ...read.texts };
      this.#refused = undefined;
      this.#rereading.onChanged?.(changed);
    } catch (error) {
      if (!(error instanceof ConfigErrors)) throw error;
      if (error.message === this.#refused) return;
      this.#refused = error.message;
      this.#rereading.onFailed?.(error);
    }
  }
}

/**
 * Declares the configuration of a service. Nothing else reads the process environment.
 * @param check checks values that depend on each other
 */
export const defineConfig = <Table extends ConfigTable>(
  table: Table,
  check: CheckTogether<Table> = () => [],
): ConfigReader<Table> => ({
  table,
  load: (environment: Environment = process.env, rereading: Rereading = {}) =>
    new Loaded(table, check as Check, environment, rereading).values as ConfigValues<Table>,
});

/** Overrides some values; those from files stay live. */
export const withValues = <Values extends object>(values: Values, replaced: Partial<Values>): Values => {
  const made: Values = Object.create(values, Object.getOwnPropertyDescriptors(replaced));
  return made;
};

/** Selects the named variables that are set, for a configuration that exposes variables to workflows. */
export const pickVariables = (
  names: readonly string[],
  environment: Environment = process.env,
): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])));
