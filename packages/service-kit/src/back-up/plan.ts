/** Documents that belong to one document of another collection and are useless without it. */
export interface PartsPlan {
  readonly collection: string;
  /** Field with the owner's `_id`. */
  readonly ownerField: string;
}

/** A collection whose documents have parts in others. */
export interface OwnerPlan {
  readonly collection: string;
  readonly parts: readonly PartsPlan[];
  /**
   * Which version of an owner matches the parts that were read, if it changes during the read. `before`: parts are
   * stored before their owner names them, and live as long as it does. `after`: the owner changes before its parts do.
   * `same`: parts come and go, so both are read again until the owner did not change in between.
   */
  readonly form: 'before' | 'after' | 'same';
  /**
   * Field that an owner gets before its parts are deleted. The parts may have been missing when they were read, so an
   * owner with this field is copied in its later version, whatever the form; the restored service completes its
   * deletion.
   */
  readonly deletionField?: string;
}

/** How the database of a service is copied. Collections that are not named here are copied as they are. */
export interface BackUpPlan {
  /** Collections with transient state, which would do harm in a restored database. */
  readonly leftOut: readonly string[];
  /** Copied first. */
  readonly owners: readonly OwnerPlan[];
  /** Collections that other collections refer to: copied last, so that every reference resolves. */
  readonly last: readonly string[];
  /** Fields with the id of the master key that a document needs, by collection. */
  readonly masterKeyFields: Readonly<Record<string, string>>;
}

/** A backup cannot be created, verified or restored. The message says what to do. */
export class BackUpError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackUpError';
  }
}
