import type { OptionDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

export const EDIT_OPERATIONS: readonly OptionDescriptor[] = [
  choice('blur', 'Blur'),
  choice('border', 'Border'),
  choice('composite', 'Composite'),
  choice('create', 'Create'),
  choice('crop', 'Crop'),
  choice('draw', 'Draw'),
  choice('resize', 'Resize'),
  choice('rotate', 'Rotate'),
  choice('shear', 'Shear'),
  choice('text', 'Text'),
  choice('transparent', 'Transparent'),
];

const OPERATORS = [
  ...['Add', 'Atop', 'Bumpmap', 'Copy', 'CopyBlack', 'CopyBlue', 'CopyCyan', 'CopyGreen', 'CopyMagenta'],
  ...['CopyOpacity', 'CopyRed', 'CopyYellow', 'Difference', 'Divide', 'In', 'Minus', 'Multiply', 'Out', 'Over'],
  ...['Plus', 'Subtract', 'Xor'],
];

const HELP = {
  backgroundColor:
    'Hexadecimal, such as `#ff0000`, or a name. Two further digits are the transparency: `00` is opaque.',
  color: 'Hexadecimal or a name. With 8 digits, the last two are the transparency: `00` is opaque.',
  borderColor: 'Hexadecimal or a name.',
  fontColor: 'Hexadecimal or a name.',
  width: 'In pixels, or in percent if the option says so.',
  height: 'In pixels, or in percent if the option says so.',
  primitive: 'Shape to draw.',
  startPositionX: 'In pixels, from the left. For a circle: its centre.',
  startPositionY: 'In pixels, from the top. For a circle: its centre.',
  endPositionX: 'In pixels, from the left. For a circle: a point on its edge.',
  endPositionY: 'In pixels, from the top. For a circle: a point on its edge.',
  cornerRadius: 'Radius of rounded corners in pixels.',
  text: 'Text to write. Line breaks are preserved.',
  fontSize: 'In points, at 72 points per inch: one point is one pixel.',
  positionX: 'In pixels, from the edge selected by the alignment.',
  positionY: 'In pixels, from the edge selected by the alignment.',
  horizontalAlignment: 'The side from which the horizontal position is measured.',
  verticalAlignment: 'The side from which the vertical position is measured.',
  lineLength: 'Maximum number of characters per line. Longer lines break between words.',
  blur: 'Radius of the blur in pixels, 0 to 1000.',
  sigma: 'Standard deviation of the blur in pixels, 0 to 1000.',
  borderWidth: 'In pixels, on the left and on the right.',
  borderHeight: 'In pixels, at the top and at the bottom.',
  dataPropertyNameComposite: 'Binary field with the image to put on top.',
  operator: 'How to combine the two images.',
  resizeOption: 'How width and height are interpreted.',
  rotate: 'Degrees, clockwise.',
  degreesX: 'Degrees by which to shear rows.',
  degreesY: 'Degrees by which to shear columns.',
} as const;

const number = (name: string, label: string, initial: number, operation: string): ParameterDescriptor => ({
  name,
  label,
  type: 'number',
  default: initial,
  shownWhen: { operation: [operation] },
});

const string = (name: string, label: string, initial: string, operation: string): ParameterDescriptor => ({
  name,
  label,
  type: 'string',
  default: initial,
  shownWhen: { operation: [operation] },
});

const chosen = (
  name: string,
  label: string,
  initial: string,
  operation: string,
  options: readonly OptionDescriptor[],
): ParameterDescriptor => ({
  name,
  label,
  type: 'options',
  default: initial,
  shownWhen: { operation: [operation] },
  options,
});

/** The parameters of all operations that change an image, each shown only for its operation. */
export const EDIT_PARAMETERS: readonly ParameterDescriptor[] = withHelp(HELP, [
  string('backgroundColor', 'Background colour', '#ffffff00', 'create'),
  number('width', 'Image width', 50, 'create'),
  number('height', 'Image height', 50, 'create'),
  chosen('primitive', 'Primitive', 'rectangle', 'draw', [
    choice('circle', 'Circle'),
    choice('line', 'Line'),
    choice('rectangle', 'Rectangle'),
  ]),
  string('color', 'Colour', '#ff000000', 'draw'),
  number('startPositionX', 'Start position X', 50, 'draw'),
  number('startPositionY', 'Start position Y', 50, 'draw'),
  number('endPositionX', 'End position X', 250, 'draw'),
  number('endPositionY', 'End position Y', 250, 'draw'),
  {
    ...number('cornerRadius', 'Corner radius', 0, 'draw'),
    shownWhen: { operation: ['draw'], primitive: ['rectangle'] },
  },
  { ...string('text', 'Text', '', 'text'), editor: 'multiline' },
  number('fontSize', 'Font size', 18, 'text'),
  string('fontColor', 'Font colour', '#000000', 'text'),
  number('positionX', 'Position X', 50, 'text'),
  number('positionY', 'Position Y', 50, 'text'),
  {
    ...chosen('horizontalAlignment', 'Horizontal alignment', 'center', 'text', [
      choice('west', 'Left'),
      choice('center', 'Centre'),
      choice('east', 'Right'),
    ]),
    since: 1.1,
  },
  {
    ...chosen('verticalAlignment', 'Vertical alignment', 'middle', 'text', [
      choice('north', 'Top'),
      choice('middle', 'Middle'),
      choice('south', 'Bottom'),
    ]),
    since: 1.1,
  },
  number('lineLength', 'Maximum line length', 80, 'text'),
  number('blur', 'Blur', 5, 'blur'),
  number('sigma', 'Sigma', 2, 'blur'),
  number('borderWidth', 'Border width', 10, 'border'),
  number('borderHeight', 'Border height', 10, 'border'),
  string('borderColor', 'Border colour', '#000000', 'border'),
  string('dataPropertyNameComposite', 'Binary field of the upper image', '', 'composite'),
  chosen(
    'operator',
    'Operator',
    'Over',
    'composite',
    OPERATORS.map((name) => choice(name, name.replace(/(?<=[a-z])(?=[A-Z])/g, ' '))),
  ),
  number('positionX', 'Position X', 0, 'composite'),
  number('positionY', 'Position Y', 0, 'composite'),
  number('width', 'Width', 500, 'crop'),
  number('height', 'Height', 500, 'crop'),
  number('positionX', 'Position X', 0, 'crop'),
  number('positionY', 'Position Y', 0, 'crop'),
  number('width', 'Width', 500, 'resize'),
  number('height', 'Height', 500, 'resize'),
  chosen('resizeOption', 'Option', 'maximumArea', 'resize', [
    choice('ignoreAspectRatio', 'Ignore aspect ratio'),
    choice('maximumArea', 'Maximum area'),
    choice('minimumArea', 'Minimum area'),
    choice('onlyIfLarger', 'Only if larger'),
    choice('onlyIfSmaller', 'Only if smaller'),
    choice('percent', 'Percent'),
  ]),
  number('rotate', 'Rotate', 0, 'rotate'),
  string('backgroundColor', 'Background colour', '#ffffffff', 'rotate'),
  number('degreesX', 'Degrees X', 0, 'shear'),
  number('degreesY', 'Degrees Y', 0, 'shear'),
  string('color', 'Colour', '#ff0000', 'transparent'),
]);
