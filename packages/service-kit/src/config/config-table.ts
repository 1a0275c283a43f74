/** One row of a service's configuration table, with its documentation. Key names end in the unit. */
export interface ConfigField<Value> {
  /** Environment variable. */
  readonly env: string;
  readonly type: string;
  readonly doc: string;
  /** Absent: the variable is required. */
  readonly default?: Value;
  /** Neither logged nor printed. */
  readonly secret: boolean;
  /** Parses the variable. @throws Error that says what is expected. */
  readonly read: (text: string) => Value;
}

/** A configuration table: key to field. */
export type ConfigTable = Readonly<Record<string, ConfigField<unknown>>>;

/** The values of a table. */
export type ConfigValues<Table extends ConfigTable> = {
  readonly [Key in keyof Table]: Table[Key] extends ConfigField<infer Value> ? Value : never;
};

/** Variables by name; the process environment, or that of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All errors of a configuration, one line each. */
export class ConfigErrors extends Error {
  constructor(readonly errors: readonly string[]) {
    super(`The configuration is invalid:\n${errors.map((error) => `  - ${error}`).join('\n')}`);
    this.name = 'ConfigErrors';
  }
}

const readField = (field: ConfigField<unknown>, environment: Environment, errors: string[]): unknown => {
  const text = environment[field.env];
  if (text === undefined || text === '') {
    if (field.default === undefined) errors.push(`${field.env} is not set. ${field.doc}`);
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

/** Reader of a table: all values, or one error that names every invalid variable. */
export interface ConfigReader<Table extends ConfigTable> {
  readonly table: Table;
  /** @throws ConfigErrors */
  readonly load: (environment?: Environment) => ConfigValues<Table>;
}

/** Declares the configuration of a service. Nothing else reads the process environment. */
export const defineConfig = <Table extends ConfigTable>(table: Table): ConfigReader<Table> => ({
  table,
  load: (environment: Environment = process.env) => {
    const errors: string[] = [];
    const values = Object.fromEntries(
      Object.entries(table).map(([key, field]) => [key, readField(field, environment, errors)]),
    );
    if (errors.length > 0) throw new ConfigErrors(errors);
    return values as ConfigValues<Table>;
  },
});

/** Selects the named variables that are set, for a configuration that exposes variables to others. */
export const pickVariables = (
  names: readonly string[],
  environment: Environment = process.env,
): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])));
