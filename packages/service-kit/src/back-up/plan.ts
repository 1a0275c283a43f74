/** Documents that belong to one document of another collection and are of no use without it. */
export interface PartsPlan {
  readonly collection: string;
  /** Field with the `_id` of the owner. */
  readonly ownerField: string;
}

/** A collection whose documents have parts in others. */
export interface OwnerPlan {
  readonly collection: string;
  readonly parts: readonly PartsPlan[];
  /**
   * Which form of an owner fits the parts that were read, if it changes while they are read. `before`: parts are
   * stored before their owner names them, and stay as long as it. `after`: the owner is changed before its parts are.
   * `same`: parts come and go, so both are read until the owner has not changed in between.
   */
  readonly form: 'before' | 'after' | 'same';
  /**
   * Field that an owner gets before its parts are deleted. They may have been gone when they were read, so an owner
   * with this field is copied as it was after that, whatever the form: the restored service ends its deletion.
   */
  readonly deletionField?: string;
}

/** How the database of a service is copied. Collections that it does not name are copied as they are. */
export interface BackUpPlan {
  /** Collections that tell of the moment only, and would do harm in a restored database. */
  readonly leftOut: readonly string[];
  /** They are copied first. */
  readonly owners: readonly OwnerPlan[];
  /** Collections that others name: they are copied after those, so that whatever is named is there. */
  readonly last: readonly string[];
  /** Fields with the id of the master key that a document needs, by collection. */
  readonly masterKeyFields: Readonly<Record<string, string>>;
}

/** A back-up cannot be made, checked or restored. The message says what to do. */
export class BackUpError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackUpError';
  }
}
