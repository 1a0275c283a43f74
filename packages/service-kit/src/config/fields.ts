import type { ConfigField } from './config-table';

interface FieldInit<Value> {
  readonly env: string;
  readonly doc: string;
  readonly default?: Value;
  readonly secret?: boolean;
  readonly fromFile?: boolean;
  readonly live?: boolean;
  readonly internal?: boolean;
  readonly shared?: boolean;
}

const field = <Value>(init: FieldInit<Value>, type: string, read: (text: string) => Value): ConfigField<Value> => ({
  env: init.env,
  doc: init.doc,
  ...(init.default === undefined ? {} : { default: init.default }),
  secret: init.secret ?? false,
  ...(init.fromFile === undefined ? {} : { fromFile: init.fromFile }),
  ...(init.live === undefined ? {} : { live: init.live }),
  ...(init.internal === undefined ? {} : { internal: init.internal }),
  ...(init.shared === undefined ? {} : { shared: init.shared }),
  type,
  read,
});

/** Any non-empty string. An empty default makes the variable optional. */
export const text = (init: FieldInit<string>): ConfigField<string> => field(init, 'text', (value) => value);

/** A string that `check` accepts. @param init.check throws an Error that says what is wrong, without the value */
export const checked = (init: FieldInit<string> & { check: (text: string) => void }): ConfigField<string> =>
  field(init, 'text', (value) => {
    init.check(value);
    return value;
  });

/** An integer from min to max. */
export const integer = (init: FieldInit<number> & { min: number; max: number }): ConfigField<number> =>
  field(init, `integer, ${init.min} to ${init.max}`, (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < init.min || number > init.max) {
      throw new Error(`is not an integer from ${init.min} to ${init.max}`);
    }
    return number;
  });

/** A TCP port; 0 lets the system choose. */
export const port = (init: FieldInit<number>): ConfigField<number> => ({
  ...integer({ ...init, min: 0, max: 65_535 }),
  type: 'port',
});

/** `true`/`on`/`1` or `false`/`off`/`0`. */
export const flag = (init: FieldInit<boolean>): ConfigField<boolean> =>
  field(init, 'on or off', (value) => {
    if (/^(true|on|1|yes)$/i.test(value)) return true;
    if (/^(false|off|0|no)$/i.test(value)) return false;
    throw new Error('is neither "on" nor "off"');
  });

/** One of several words. */
export const oneOf = <Word extends string>(init: FieldInit<Word> & { words: readonly Word[] }): ConfigField<Word> =>
  field(init, init.words.join(', '), (value) => {
    const word = init.words.find((candidate) => candidate === value);
    if (word === undefined) throw new Error(`is not one of ${init.words.join(', ')}`);
    return word;
  });

/** Words separated by commas, trimmed. */
export const list = (init: FieldInit<readonly string[]>): ConfigField<readonly string[]> =>
  field(init, 'list, separated by commas', (value) =>
    value
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );

/** A URL with one of the given schemes. */
export const url = (init: FieldInit<string> & { schemes: readonly string[] }): ConfigField<string> =>
  field(init, `URL (${init.schemes.join(', ')})`, (value) => {
    if (!init.schemes.some((scheme) => value.startsWith(`${scheme}://`))) {
      throw new Error(`does not start with ${init.schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
    }
    return value;
  });

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
};

/** The IANA name of a time zone. */
export const timeZone = (init: FieldInit<string>): ConfigField<string> =>
  field(init, 'IANA time zone', (value) => {
    if (!isTimeZone(value)) throw new Error('is not a time zone such as Europe/Berlin');
    return value;
  });
