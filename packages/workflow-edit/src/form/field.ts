import type {
  GroupDescriptor,
  Json,
  LocatorMode,
  OperationDescriptor,
  OptionDescriptor,
  ParameterDescriptor,
  ParameterEditor,
  ParameterReference,
} from '@weft/node-catalogue/definitions';
import type { Path } from '../json/tree';

/** The part of a form that edits one value. */
export interface FormField {
  /** Path of the value below the `parameters` of the node. */
  readonly path: Path;
  /** The path as text: that of the errors of `checkParameters`, without `parameters.`. */
  readonly key: string;
  readonly descriptor: ParameterDescriptor;
  /** The stored value; undefined if none is set. */
  readonly stored: Json | undefined;
  /** The stored value, or the default. */
  readonly value: Json | undefined;
  readonly control: Control;
  /** True if the user may switch between a fixed value and an expression. */
  readonly canSwitch: boolean;
  /** Why the value is refused. */
  readonly error: string | undefined;
}

/** How a value is edited. `json` serves values that do not suit the type of their parameter, so that none is lost. */
export type Control =
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly editor: ParameterEditor | undefined }
  | { readonly kind: 'number'; readonly number: number | undefined }
  /** `isText`: the values are the strings `true` and `false`. */
  | { readonly kind: 'switch'; readonly isOn: boolean; readonly isText: boolean }
  | { readonly kind: 'select'; readonly choices: readonly Choice[] }
  | { readonly kind: 'checks'; readonly choices: readonly Choice[] }
  | { readonly kind: 'dateTime'; readonly text: string }
  /** `isText`: the value is a string that contains JSON. */
  | { readonly kind: 'json'; readonly text: string; readonly isText: boolean }
  /** The id of a resource, as a string or as `value` of an object with a `mode`. */
  | {
      readonly kind: 'locator';
      readonly isObject: boolean;
      readonly mode: string;
      readonly name: string | undefined;
      readonly reference: ParameterReference | undefined;
      /** Ways to name the resource; empty for a `reference`, which has no descriptions of them. */
      readonly modes: readonly LocatorMode[];
      /** The id, which may be an expression. */
      readonly inner: FormField;
    }
  /** Values for the columns of a table. */
  | MapperControl
  | {
      readonly kind: 'collection';
      readonly fields: readonly FormField[];
      /** Fields that can be added. */
      readonly absent: readonly ParameterDescriptor[];
      readonly others: readonly OtherValue[];
    }
  | { readonly kind: 'groups'; readonly groups: readonly FormGroup[]; readonly others: readonly OtherValue[] }
  | {
      readonly kind: 'filter';
      readonly combinator: string;
      readonly conditions: readonly FormCondition[];
      readonly ignoresCase: boolean;
      readonly operations: readonly (readonly [string, readonly OperationDescriptor[]])[];
    }
  | { readonly kind: 'assignments'; readonly rows: readonly FormAssignment[] };

/** Values for the columns of a table: by hand, or the fields of the items. */
export interface MapperControl {
  readonly kind: 'mapper';
  /** `defineBelow`: by hand; `autoMapInputData`: the fields of the items. */
  readonly mode: string;
  /** The columns that are mapped by hand. */
  readonly columns: readonly MapperColumn[];
  /** Other columns that the value describes. */
  readonly absent: readonly string[];
  /** Columns whose values find the rows that an update changes. */
  readonly matching: readonly string[];
  /** False for operations that only add rows. */
  readonly canMatch: boolean;
  /** Whether values are converted to the types of their columns; undefined if no type is known. */
  readonly converts: boolean | undefined;
  readonly others: readonly OtherValue[];
}

/** A column that is mapped by hand. */
interface MapperColumn {
  readonly name: string;
  readonly field: FormField;
}

/** One option of a list. */
export interface Choice {
  readonly option: OptionDescriptor;
  readonly isChosen: boolean;
  /** False for a stored value that the kind does not have. */
  readonly isKnown: boolean;
}

/** A stored value that no control of the form edits. */
export interface OtherValue {
  readonly path: Path;
  readonly key: string;
  readonly name: string;
  readonly value: Json;
  /** `hidden`: the kind has the parameter, but not with the current settings. */
  readonly reason: 'unknown' | 'hidden';
  readonly error: string | undefined;
}

/** A group of a fixed collection with its entries. */
export interface FormGroup {
  readonly group: GroupDescriptor;
  readonly path: Path;
  /** True if the entries are elements of an array. */
  readonly isList: boolean;
  readonly entries: readonly FormEntry[];
  /** True if another entry can be added. */
  readonly canAdd: boolean;
  /** The entry that is added. */
  readonly blank: Json;
}

/** One entry of a group. */
export interface FormEntry {
  readonly path: Path;
  readonly key: string;
  readonly fields: readonly FormField[];
  readonly others: readonly OtherValue[];
}

/** One condition of a filter. */
export interface FormCondition {
  readonly path: Path;
  readonly key: string;
  readonly type: string;
  readonly operation: string;
  readonly left: FormField;
  /** Absent for operations without a second value. */
  readonly right: FormField | undefined;
  readonly error: string | undefined;
}

/** One row of a collection of assignments. */
export interface FormAssignment {
  readonly path: Path;
  readonly key: string;
  readonly name: FormField;
  readonly type: string;
  readonly value: FormField;
}

/** The form of the parameters of a node. */
export interface NodeForm {
  readonly fields: readonly FormField[];
  readonly others: readonly OtherValue[];
  /** Errors by key, those of credentials as `credentials.<type>`. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Fields of a control, at any depth. */
export function fieldsWithin(control: Control): readonly FormField[] {
  const direct = directFields(control);
  return direct.flatMap((field) => [field, ...fieldsWithin(field.control)]);
}

function directFields(control: Control): readonly FormField[] {
  switch (control.kind) {
    case 'locator':
      return [control.inner];
    case 'collection':
      return control.fields;
    case 'groups':
      return control.groups.flatMap(({ entries }) => entries.flatMap(({ fields }) => fields));
    case 'filter':
      return control.conditions.flatMap(({ left, right }) => (right === undefined ? [left] : [left, right]));
    case 'assignments':
      return control.rows.flatMap(({ name, value }) => [name, value]);
    case 'mapper':
      return control.columns.map(({ field }) => field);
    default:
      return [];
  }
}

/** Values of a control that it does not edit, at any depth. */
export function othersWithin(control: Control): readonly OtherValue[] {
  const own =
    control.kind === 'collection' || control.kind === 'groups' || control.kind === 'mapper'
      ? [
          ...control.others,
          ...(control.kind === 'groups'
            ? control.groups.flatMap(({ entries }) => entries.flatMap(({ others }) => others))
            : []),
        ]
      : [];
  return [...own, ...directFields(control).flatMap((field) => othersWithin(field.control))];
}
