import type { Run } from '../run';

/**
 * An object that Weft provides, such as `Math` or `$input`: it has members to read, and nothing else. It cannot be
 * changed or copied.
 */
export abstract class VirtualObject {
  /** What `typeof` says of it. */
  readonly typeName: 'object' | 'symbol' = 'object';

  /** The member `key`; undefined if it does not exist. */
  abstract get(run: Run, key: string): unknown;

  /** Names of its members that `Object.keys` and `in` see. */
  abstract keys(run: Run): readonly string[];

  /** Value of an expression whose result this is. */
  result(_run: Run): unknown {
    return {};
  }

  /** The object as text. */
  text(): string {
    return '[object Object]';
  }

  /** True if `key in object`. */
  has(run: Run, key: string): boolean {
    return this.keys(run).includes(key);
  }
}

/** A fixed set of members, for example `Math`. */
export class Namespace extends VirtualObject {
  private readonly members: ReadonlyMap<string, unknown>;

  constructor(members: Readonly<Record<string, unknown>>) {
    super();
    this.members = new Map(Object.entries(members));
  }

  override get(_run: Run, key: string): unknown {
    return this.members.get(key);
  }

  /** All members by name. */
  entries(): [string, unknown][] {
    return [...this.members];
  }

  override keys(): readonly string[] {
    return [];
  }

  override has(_run: Run, key: string): boolean {
    return this.members.has(key);
  }
}
