/** The form of a node's parameters as data: which controls it has, what they edit, and what is wrong. Pure. */
export { ASSIGNMENT_TYPES, blankAssignment, blankCondition, blankFilter, operatorOf } from './conditions';
export { prettyJson } from './control-of';
export {
  beginExpression,
  type BegunExpression,
  readJson,
  readNumber,
  toExpression,
  toFixed,
  type Typed,
} from './conversions';
export {
  fieldsWithin,
  othersWithin,
  type Choice,
  type Control,
  type FormAssignment,
  type FormCondition,
  type FormEntry,
  type FormField,
  type FormGroup,
  type MapperControl,
  type NodeForm,
  type OtherValue,
} from './field';
export { parametersForList } from './list-parameters';
export { changeLocator } from './locator';
export { addColumns, type OfferedColumn, removeColumn, setMappingMode, setMatching } from './mapper';
export { readForm } from './read-form';
export { insertKey, itemRoot, keyExpression, takesKeys } from './map-key';
export { replaceRange, suggestFix, type Fix, type FixableError } from './suggest-fix';
export { MAX_PINNED, pinnedText, readPinned } from './pinned-items';
