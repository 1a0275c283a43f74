import type { KindCases } from '../testing/cases/node-case';
import { pngOf } from '../testing/files/png-of';

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const image = {
  content: pngOf([
    [RED, BLUE],
    [BLUE, RED],
  ]),
  fileName: 'dots.png',
  mimeType: 'image/png',
};
const PNG = expect.stringContaining('PNG');
/** Operations that other cases run as one of several. */
const SINGLE = [
  { operation: 'composite', dataPropertyNameComposite: 'data' },
  { operation: 'crop', width: 1, height: 1 },
  { operation: 'draw', startPositionX: 0, startPositionY: 0, endPositionX: 1, endPositionY: 1 },
  { operation: 'resize', width: 50, height: 50, resizeOption: 'percent' },
  { operation: 'shear', degreesX: 5 },
  { operation: 'text', text: 'Hello', positionX: 0, positionY: 0, font: 'Arial Bold' },
  { operation: 'transparent' },
];

export const editImageCases: KindCases = {
  kind: 'editImage',
  cases: [
    {
      it: 'puts a border around an image and keeps JSON and other files',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }], parameters: {} },
      withFiles: { data: image, other: { content: 'x' } },
      gives: [[{ a: 1 }]],
      files: [{ data: PNG, other: 'x' }],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'puts the result into the given field, in the selected format',
      versions: [1, 1.1],
      run: {
        items: [{}],
        parameters: {
          operation: 'rotate',
          rotate: 90,
          options: { destinationKey: 'turned', format: 'gif', quality: 80 },
        },
      },
      withFiles: { data: image },
      gives: [[{}]],
      files: [{ data: PNG, turned: expect.stringContaining('GIF8') }],
    },
    {
      it: 'runs several operations in order, with the defaults of each',
      versions: [1, 1.1],
      run: {
        items: [{ a: 1 }],
        parameters: {
          operation: 'multiStep',
          operations: {
            operations: [
              { operation: 'create', width: 60, height: 40, backgroundColor: '#00ff0000' },
              { operation: 'draw', startPositionX: 0, startPositionY: 0, endPositionX: 9, endPositionY: 9 },
              { operation: 'text', text: 'Hello', positionX: 0, positionY: 0, font: 'Arial Bold' },
              { operation: 'composite', dataPropertyNameComposite: 'data' },
              { operation: 'blur' },
              { operation: 'resize', width: 50, height: 50, resizeOption: 'percent' },
              { operation: 'shear', degreesX: 5 },
              { operation: 'crop', width: 10, height: 10 },
              { operation: 'transparent' },
              { operation: 'border' },
              { operation: 'rotate', rotate: 10 },
            ],
          },
        },
      },
      withFiles: { data: image },
      gives: [[{ a: 1 }]],
      files: [{ data: PNG }],
    },
    ...SINGLE.map(({ operation, ...parameters }) => ({
      it: `does "${operation}" alone`,
      versions: [1, 1.1],
      run: { items: [{ a: 1 }], parameters: { operation, ...parameters } },
      withFiles: { data: image },
      gives: [[{ a: 1 }]],
      files: [{ data: PNG }],
    })),
    {
      it: 'describes an image without changing it',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }], parameters: { operation: 'information' } },
      withFiles: { data: image },
      gives: [[expect.objectContaining({ format: 'PNG', Geometry: '2x2', size: { width: 2, height: 2 }, depth: 1 })]],
      files: [{ data: PNG }],
    },
    {
      it: 'creates an image if there is none',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'create', width: 3, height: 2, options: { fileName: 'new.png' } } },
      gives: [[{}]],
      files: [{ data: PNG }],
    },
    {
      it: 'reports the field without a file',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'blur', dataPropertyName: 'photo' } },
      fails: "contain a binary file 'photo'",
    },
    {
      it: 'rejects a file that is not an image',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'blur' } },
      withFiles: {
        data: { content: '<svg xmlns="http://www.w3.org/2000/svg"/>', fileName: 'a.png', mimeType: 'image/png' },
      },
      fails: 'not an image in PNG',
    },
    {
      it: 'rejects a string where a number is required',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'rotate', rotate: 'far' } },
      withFiles: { data: image },
      fails: '"rotate" must be a number',
    },
    {
      it: 'rejects invalid operations',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'multiStep' } },
      withFiles: { data: image },
      fails: 'has no operations',
    },
  ],
};
