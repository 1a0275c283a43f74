import type { Json } from '@weft/service-kit/json-values';
import type { AttachmentType } from './attachment-types';

/** Kind of editor of a parameter, and the form of its value. */
export type ParameterType =
  | 'string'
  | 'number'
  | 'boolean'
  /** One of `options`. */
  | 'options'
  /** A list of values out of `options`. */
  | 'multiOptions'
  /** JSON as text or as a value. */
  | 'json'
  | 'dateTime'
  /** An object with any of `fields`. */
  | 'collection'
  /** An object of named groups, each one object or, with `multiple`, a list of objects. */
  | 'fixedCollection'
  /** Conditions: `{ combinator, conditions, options }`. */
  | 'filter'
  /** `{ assignments: [{ name, type, value }] }`. */
  | 'assignmentCollection'
  /** A resource of a service: a string, or `{ __rl: true, mode, value }` with one of `modes`. */
  | 'resourceLocator'
  /**
   * Values for the columns of a table: `{ mappingMode, value, matchingColumns, schema }`. `value` has them by column
   * with the mode `defineBelow`; with `autoMapInputData` they are the fields of the items.
   */
  | 'resourceMapper';

/** The versions of a kind for which something holds, both ends included. An absent end is open. */
export interface VersionRange {
  readonly since?: number;
  readonly until?: number;
}

/** One choice of a parameter of type `options` or `multiOptions`. */
export interface OptionDescriptor extends VersionRange {
  readonly value: Json;
  readonly label: string;
  /**
   * Set if the choice exists in the workflow language but is not supported here: why, as a sentence for the user.
   * Activation refuses it.
   */
  readonly refused?: string;
}

/** One operation of a condition. */
export interface OperationDescriptor {
  readonly value: string;
  readonly label: string;
  /** True if it has no second value. */
  readonly singleValue?: boolean;
}

/** Operations of conditions, by the type of the value. */
export type OperationsByType = Readonly<Record<string, readonly OperationDescriptor[]>>;

/** One group of a `fixedCollection`. */
export interface GroupDescriptor {
  readonly name: string;
  readonly label: string;
  readonly fields: readonly ParameterDescriptor[];
}

/**
 * Values of other parameters of the same node, any of each. A name that begins with `/` is looked up at the top level.
 */
export type Conditions = Readonly<Record<string, readonly Json[]>>;

/** Editor that suits the text of a parameter better than a one-line field. */
export type ParameterEditor =
  | 'javascript'
  | 'sql'
  | 'html'
  | 'json'
  /** A cron expression of five or six fields. */
  | 'cron'
  /** Text of several lines. */
  | 'multiline';

/** One way to name a resource in a parameter of type `resourceLocator`. */
export interface LocatorMode {
  readonly name: 'list' | 'id' | 'name' | 'url' | 'username';
  readonly label: string;
  /** A regular expression whose first group in the value is the resource. Absent: the value itself. */
  readonly extract?: string;
  /** For forms, as `list` of a parameter. */
  readonly list?: string;
}

/** Resource whose id a parameter holds, as a string or as `value` of a resource locator. */
export type ParameterReference = 'workflow' | 'dataTable' | 'credential';

/** One parameter of a node kind. A name may occur several times with different versions or conditions. */
export interface ParameterDescriptor extends VersionRange {
  readonly name: string;
  readonly label: string;
  readonly type: ParameterType;
  /** The value used if the definition sets none, fields of collections included. */
  readonly default?: Json;
  /** True if an empty value makes the node useless: activation refuses it. */
  readonly required?: boolean;
  readonly options?: readonly OptionDescriptor[];
  /** For forms, which then offer the options of `POST /node-types/{type}/options`: never checked. */
  readonly list?: string;
  readonly fields?: readonly ParameterDescriptor[];
  readonly groups?: readonly GroupDescriptor[];
  readonly multiple?: boolean;
  /** Ways to name the resource of a `resourceLocator`. */
  readonly modes?: readonly LocatorMode[];
  /** Operations that conditions of a `filter` may use. Activation refuses any other operation. */
  readonly operations?: OperationsByType;
  /** Explains the parameter if the label does not suffice. */
  readonly help?: string;
  /** The parameter counts only if each named parameter has one of the listed values. */
  readonly shownWhen?: Conditions;
  /** The parameter does not count if any named parameter has one of the listed values. */
  readonly hiddenWhen?: Conditions;
  /** Set if using the parameter (any value but its default) is not supported: why. Activation refuses it. */
  readonly refused?: string;
  /** True if the value is read outside of a run, where no expression can be resolved. */
  readonly fixed?: boolean;
  /** For forms: never checked. */
  readonly editor?: ParameterEditor;
  /** For forms, which then offer a list of the resources: never checked. */
  readonly reference?: ParameterReference;
  /** Example of a value, shown in an empty field. Never used as a value. */
  readonly placeholder?: string;
}

/** Inputs and outputs of some versions, if they differ from those of the kind. Absent fields are those of the kind. */
export interface PortsDescriptor extends VersionRange {
  readonly inputs?: readonly string[];
  readonly outputs?: readonly string[];
  /** The parameter that gives the number of inputs: a number, or an array with an entry for each. */
  readonly inputsBy?: string;
  /** The same for outputs. */
  readonly outputsBy?: string;
  readonly shownWhen?: Conditions;
}

/** A type that a kind provides as a sub-node, in some versions and under some conditions. */
export interface ProvidedAttachment extends VersionRange {
  readonly type: AttachmentType;
  readonly shownWhen?: Conditions;
}

/** A type of sub-node that a kind accepts, in some versions and under some conditions. */
export interface AcceptedAttachment extends VersionRange {
  readonly type: AttachmentType;
  readonly label: string;
  /** True if the node cannot run without one. */
  readonly required?: boolean;
  /** Maximum number; absent: any. */
  readonly max?: number;
  readonly shownWhen?: Conditions;
}

/** A credential type that a node kind can use. */
export interface CredentialDescriptor {
  /** As nodes name it. */
  readonly type: string;
  /** Type of the stored credentials; absent: the same. */
  readonly storedType?: string;
  /** True if the node cannot work without it where it is shown. */
  readonly required: boolean;
  readonly shownWhen?: Conditions;
}

/** How a kind is used as a tool. */
export interface ToolUse extends VersionRange {
  /** Parameters that only the tool has, after those of the kind. */
  readonly parameters?: readonly ParameterDescriptor[];
}

/** A node kind as data. */
export interface KindDescriptor {
  readonly kind: string;
  readonly label: string;
  readonly description: string;
  /** All supported versions, ascending. A definition without a version means the last one. */
  readonly versions: readonly number[];
  readonly groups: readonly ('trigger' | 'transform' | 'flow' | 'input' | 'output' | 'annotation')[];
  /** True if an event can start a run here. */
  readonly isTrigger: boolean;
  /** Labels of the inputs; empty for triggers. */
  readonly inputs: readonly string[];
  /** Labels of the outputs, without the error output that `continueErrorOutput` adds. */
  readonly outputs: readonly string[];
  /** Inputs and outputs of older versions, and those that depend on parameters. */
  readonly ports?: readonly PortsDescriptor[];
  /** Types that the kind provides as a sub-node; absent: no node uses it as one. */
  readonly provides?: readonly ProvidedAttachment[];
  /** The sub-nodes that the kind uses; absent: none. */
  readonly accepts?: readonly AcceptedAttachment[];
  /** The versions that models can call as a tool, the kind `<kind>Tool`: see `toolVariantOf`. Absent: none. */
  readonly usableAsTool?: ToolUse;
  /** The kind that this one is the tool of. */
  readonly toolOf?: string;
  readonly credentials: readonly CredentialDescriptor[];
  readonly parameters: readonly ParameterDescriptor[];
  /** Sentences for people who import workflows: the differences from what they know. */
  readonly differs?: readonly string[];
  /** True for kinds that are shown on the canvas only. */
  readonly neverRuns?: boolean;
}

/** Kinds by name. */
export type KindTable = ReadonlyMap<string, KindDescriptor>;

/** True if `version` lies within the range. */
export function inVersions(range: VersionRange, version: number): boolean {
  return version >= (range.since ?? -Infinity) && version <= (range.until ?? Infinity);
}
