/** One row of a service's configuration table. `doc` says what it does; units stand in the key's name. */
export interface ConfigField<Value> {
  /** Environment variable. */
  readonly env: string;
  readonly type: string;
  readonly doc: string;
  /** Missing: the variable must be set. */
  readonly default?: Value;
  /** Never logged nor printed. */
  readonly secret: boolean;
  /** Reads the text. @throws Error that says what is expected. */
  readonly read: (text: string) => Value;
}

/** A configuration table: key to field. */
export type ConfigTable = Readonly<Record<string, ConfigField<unknown>>>;

/** The values of a table. */
export type ConfigValues<Table extends ConfigTable> = {
  readonly [Key in keyof Table]: Table[Key] extends ConfigField<infer Value> ? Value : never;
};

/** Where texts come from; the process environment unless a test gives its own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All faults of a configuration at once, one line each. */
export class ConfigErrors extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigErrors';
  }
}

const readField = (field: ConfigField<unknown>, environment: Environment, faults: string[]): unknown => {
  const text = environment[field.env];
  if (text === undefined || text === '') {
    if (field.default === undefined) faults.push(`${field.env} is not set. ${field.doc}`);
    return field.default;
  }
  try {
    return field.read(text);
  } catch (error) {
    const shown = field.secret ? 'its value' : JSON.stringify(text);
    faults.push(`${field.env}: ${shown} ${error instanceof Error ? error.message : 'cannot be read'}. ${field.doc}`);
    return undefined;
  }
};

/** A table that can be read: complete, or an error that names every fault. */
export interface ConfigReader<Table extends ConfigTable> {
  readonly table: Table;
  /** @throws ConfigErrors */
  readonly load: (environment?: Environment) => ConfigValues<Table>;
}

/** Declares the configuration of a service. The only reader of the process environment. */
export const defineConfig = <Table extends ConfigTable>(table: Table): ConfigReader<Table> => ({
  table,
  load: (environment: Environment = process.env) => {
    const faults: string[] = [];
    const values = Object.fromEntries(
      Object.entries(table).map(([key, field]) => [key, readField(field, environment, faults)]),
    );
    if (faults.length > 0) throw new ConfigErrors(faults);
    return values as ConfigValues<Table>;
  },
});

/** The variables of the given names that are set: for what a configuration allows others to see. */
export const pickVariables = (
  names: readonly string[],
  environment: Environment = process.env,
): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])));
