import {
  isJsonObject,
  textField,
  type Json,
  type JsonObject,
  type ParameterDescriptor,
  type ParameterScope,
} from '@weft/node-catalogue/definitions';
import type { Path } from '../json/tree';
import type { Control, FormField } from './field';
import { fieldOf, type FormContext } from './read-form';

type LocatorControl = Extract<Control, { readonly kind: 'locator' }>;

/**
 * A resource: an object with `__rl`, a `resourceLocator`, or the id of a parameter that refers to a resource. Undefined
 * for other values.
 */
export function locatorControl(
  descriptor: ParameterDescriptor,
  value: Json | undefined,
  scope: ParameterScope,
  path: Path,
  context: FormContext,
): LocatorControl | undefined {
  const { reference, refused: _refused, modes = [], list: _list, ...rest } = descriptor;
  const isLocator = descriptor.type === 'resourceLocator';
  const isEmpty = value === undefined || value === null || value === '';
  const hasForm = isJsonObject(value) && (value['__rl'] === true || 'value' in value || (isLocator && 'mode' in value));
  const isObject = isLocator
    ? isEmpty || hasForm
    : isJsonObject(value) && (value['__rl'] === true || (reference !== undefined && 'value' in value));
  const isId = (isLocator || reference !== undefined) && (isEmpty || typeof value !== 'object');
  if (!isObject && !isId) return undefined;
  const own = isJsonObject(value) ? value : {};
  const [first] = modes;
  return {
    kind: 'locator',
    isObject,
    mode: (isObject ? textField(own, 'mode') : undefined) ?? (isObject ? first?.name : undefined) ?? 'id',
    name: isObject ? textField(own, 'cachedResultName') : undefined,
    reference,
    modes: isLocator ? modes : [],
    inner: isObject
      ? fieldOf({ ...rest, type: 'string', default: '' }, own['value'], scope, [...path, 'value'], context)
      : fieldOf({ ...rest, type: 'string' }, value, scope, path, context),
  };
}

/** A change of a locator. */
interface LocatorChange {
  readonly mode?: string;
  readonly value?: Json;
  /** Name of a chosen resource, which editors show in place of its id. */
  readonly name?: string;
}

/** Modes whose values are the same id. */
const ID_MODES: ReadonlySet<string> = new Set(['list', 'id']);

/**
 * The value of a locator after a change. A string stays a string until a mode is chosen. The name of the resource is
 * kept as long as its value. Another mode empties a fixed value unless both modes have ids.
 */
export function changeLocator(
  { control, stored }: Pick<FormField, 'control' | 'stored'>,
  { mode, value, name }: LocatorChange,
): Json {
  if (control.kind !== 'locator') return value ?? '';
  const current = control.inner.value ?? '';
  if (!control.isObject && mode === undefined) return value ?? current;
  const nextMode = mode ?? control.mode;
  const areIds = ID_MODES.has(nextMode) && ID_MODES.has(control.mode);
  const keepsValue = nextMode === control.mode || areIds || isExpressionText(current);
  const next = value ?? (keepsValue ? current : '');
  const own: JsonObject = isJsonObject(stored) ? stored : {};
  const { cachedResultName: _name, cachedResultUrl: _url, ...others } = own;
  const cached = name !== undefined ? { cachedResultName: name } : next === current ? cachedOf(own) : {};
  return { ...others, __rl: true, mode: nextMode, value: next, ...cached };
}

function isExpressionText(value: Json): boolean {
  return typeof value === 'string' && value.startsWith('=');
}

function cachedOf(own: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(own).filter(([key]) => key.startsWith('cachedResult')));
}
