import { NodeFailure } from '@weft/engine';
import { isObject } from '@weft/service-kit/json';
import { numberParameter, choiceParameter, textParameter, type ParameterSource } from '../shared/read-parameter';
import { EDIT_PARAMETERS } from './descriptor-operations';
import { type ImageStep, MAX_STEPS, OPERATORS, RESIZE_OPTIONS, type TextAnchor } from './program/image-tasks';
import { wrapText } from './wrap-text';

/** Operations that change an image. */
const OPERATIONS = [
  ...(['blur', 'border', 'composite', 'create', 'crop', 'draw', 'resize', 'rotate', 'shear', 'text'] as const),
  'transparent',
] as const;
type Operation = (typeof OPERATIONS)[number];

/** The steps for an item, and the binary fields of the images that they put on top. */
export interface ReadSteps {
  readonly steps: readonly ImageStep[];
  readonly layers: readonly string[];
}

/** Reads the steps for the image of an item. @throws NodeFailure */
export function readSteps(context: ParameterSource & { readonly version: number }, itemIndex: number): ReadSteps {
  const layers: string[] = [];
  const operation = textParameter(context, 'operation', itemIndex) || 'border';
  if (operation !== 'multiStep')
    return { steps: [readStep(context, operation, itemIndex, context.version, layers)], layers };
  const given = context.parameter('operations.operations', itemIndex);
  const entries = (Array.isArray(given) ? given : [given]).filter(isObject);
  if (entries.length === 0) throw new NodeFailure('The node has no operations: add one', { itemIndex });
  if (entries.length > MAX_STEPS)
    throw new NodeFailure(`The node has more than ${MAX_STEPS} operations`, { itemIndex });
  const steps = entries.map((entry) => {
    const name = typeof entry['operation'] === 'string' ? entry['operation'] : '';
    return readStep(entrySource(entry, name), name, itemIndex, context.version, layers);
  });
  return { steps, layers };
}

/** The parameters of one of several operations, with its defaults. */
function entrySource(entry: Readonly<Record<string, unknown>>, operation: string): ParameterSource {
  return {
    parameter: (name) => (Object.hasOwn(entry, name) ? entry[name] : defaultOf(operation, name)),
    defaultOf: (name) => defaultOf(operation, name),
  };
}

const defaultOf = (operation: string, name: string) =>
  EDIT_PARAMETERS.find((one) => one.name === name && one.shownWhen?.['operation']?.includes(operation) === true)
    ?.default;

function readStep(
  source: ParameterSource,
  name: string,
  itemIndex: number,
  version: number,
  layers: string[],
): ImageStep {
  const operation: Operation | undefined = OPERATIONS.find((known) => known === name);
  if (operation === undefined)
    throw new NodeFailure(`Unknown operation: "${name}". Supported: ${OPERATIONS.join(', ')}`, { itemIndex });
  const number = (parameter: string): number => numberParameter(source, parameter, itemIndex);
  const whole = (parameter: string): number => Math.round(number(parameter));
  const text = (parameter: string): string => textParameter(source, parameter, itemIndex);
  const point = (x: string, y: string) => ({ x: number(x), y: number(y) });
  switch (operation) {
    case 'blur':
      return { kind: operation, radius: within(number('blur'), itemIndex), sigma: within(number('sigma'), itemIndex) };
    case 'border':
      return {
        kind: operation,
        width: whole('borderWidth'),
        height: whole('borderHeight'),
        color: text('borderColor'),
      };
    case 'composite':
      return {
        kind: operation,
        layer: layers.push(text('dataPropertyNameComposite')) - 1,
        operator: choiceParameter(source, 'operator', itemIndex, OPERATORS),
        at: point('positionX', 'positionY'),
      };
    case 'create':
      return { kind: operation, width: whole('width'), height: whole('height'), color: text('backgroundColor') };
    case 'crop':
      return {
        kind: operation,
        width: whole('width'),
        height: whole('height'),
        at: { x: whole('positionX'), y: whole('positionY') },
      };
    case 'draw': {
      const shape = choiceParameter(source, 'primitive', itemIndex, ['circle', 'line', 'rectangle']);
      return {
        kind: operation,
        shape,
        color: text('color'),
        from: point('startPositionX', 'startPositionY'),
        to: point('endPositionX', 'endPositionY'),
        cornerRadius: shape === 'rectangle' ? number('cornerRadius') : 0,
      };
    }
    case 'resize':
      return {
        kind: operation,
        width: number('width'),
        height: number('height'),
        option: choiceParameter(source, 'resizeOption', itemIndex, RESIZE_OPTIONS),
      };
    case 'rotate':
      return { kind: operation, degrees: number('rotate'), color: text('backgroundColor') };
    case 'shear':
      return { kind: operation, degreesX: number('degreesX'), degreesY: number('degreesY') };
    case 'text': {
      const font = text('font');
      return {
        kind: operation,
        text: wrapText(text('text'), number('lineLength')),
        size: number('fontSize'),
        color: text('fontColor'),
        at: point('positionX', 'positionY'),
        anchor: anchorOf(source, itemIndex, version),
        isBold: /bold/i.test(font),
        isItalic: /italic|oblique/i.test(font),
      };
    }
    case 'transparent':
      return { kind: operation, color: text('color') };
  }
}

function within(value: number, itemIndex: number): number {
  if (value >= 0 && value <= 1000) return value;
  throw new NodeFailure(`Blur and sigma must be between 0 and 1000, but one is ${value}`, { itemIndex });
}

/** Version 1 measures the position of a text from the upper left corner. */
function anchorOf(source: ParameterSource, itemIndex: number, version: number): TextAnchor {
  if (version < 1.1) return { horizontal: 'west', vertical: 'north' };
  return {
    horizontal: choiceParameter(source, 'horizontalAlignment', itemIndex, ['west', 'center', 'east'], 'center'),
    vertical: choiceParameter(source, 'verticalAlignment', itemIndex, ['north', 'middle', 'south'], 'middle'),
  };
}
