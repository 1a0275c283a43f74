import type { CodeInput, CodeReport } from '../../code/code-data';

/** Limits of custom data: number of entries, and lengths of names and values. */
const MAX_MARKS = 10;
const MAX_NAME = 50;
const MAX_VALUE = 512;

/** Data that outlives a node's run: static data, and custom data of the execution. */
export class PersistentData {
  readonly #input: CodeInput;
  #isStaticDataAsked = false;
  #areMarksAsked = false;

  constructor(input: CodeInput) {
    this.#input = input;
  }

  /** `$getWorkflowStaticData('global' | 'node')`. @throws Error for any other kind */
  readonly staticData = (kind: unknown): object => {
    if (kind !== 'global' && kind !== 'node')
      throw new Error(`The type "${String(kind)}" of static data is not known. Use "global" or "node".`);
    this.#isStaticDataAsked = true;
    return this.#input.staticData[kind];
  };

  /** `$execution.customData`. */
  get marks(): object {
    const { customData } = this.#input;
    const set = (name: unknown, value: unknown): void => {
      this.#areMarksAsked = true;
      if (typeof name !== 'string' || !/^[\w-]+$/.test(name))
        throw new Error(`Custom data key must be a string of letters, digits, - and _, but it is ${String(name)}`);
      if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value))
        throw new Error(`Custom data of "${name}" must be a string or a number`);
      const key = name.slice(0, MAX_NAME);
      if (Object.hasOwn(customData, key) || Object.keys(customData).length < MAX_MARKS)
        customData[key] = String(value).slice(0, MAX_VALUE);
    };
    return {
      set,
      setAll: (all: object) => {
        for (const [name, value] of Object.entries(all)) set(name, value);
      },
      get: (name: string) => (Object.hasOwn(customData, name) ? customData[name] : undefined),
      getAll: () => ({ ...customData }),
    };
  }

  /** The data that the code accessed and may have changed. */
  report(): Pick<CodeReport, 'staticData' | 'customData'> {
    const { staticData, customData } = this.#input;
    return { ...(this.#isStaticDataAsked ? { staticData } : {}), ...(this.#areMarksAsked ? { customData } : {}) };
  }
}
