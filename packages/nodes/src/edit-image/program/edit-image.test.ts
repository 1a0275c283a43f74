import { pixelsOf } from '../../testing/files/pixels-of';
import { pngOf } from '../../testing/files/png-of';
import { describeImage } from './describe-image';
import type { ImageStep, Operator, ResizeOption, TextAnchor, WrittenFormat } from './image-tasks';
import { editImage, loadImages } from './image-work';
import { formatOf } from './read-image';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const CLEAR = [0, 0, 0, 0];

const filled = (width: number, height: number, color: readonly number[]): Buffer =>
  pngOf(Array.from({ length: height }, () => Array.from({ length: width }, () => color)));

const edited = async (image: Uint8Array, ...steps: readonly ImageStep[]): Promise<number[][][]> =>
  pixelsOf(editImage({ image, layers: [], steps }).bytes);

const sizeOf = (pixels: number[][][]): readonly number[] => [pixels[0]?.length ?? 0, pixels.length];

beforeAll(() => loadImages());

describe('editing an image', () => {
  it('rotates it clockwise', async () => {
    const turned = await edited(pngOf([[RED, GREEN, BLUE]]), { kind: 'rotate', degrees: 90, color: 'white' });
    expect(turned).toEqual([[RED], [GREEN], [BLUE]]);
  });

  it.each<[number, number, number]>([
    [45, 49, 49],
    [10, 45, 36],
    [-30, 50, 46],
    [1, 41, 31],
    [180, 40, 30],
  ])('enlarges an image rotated by %d degrees, with the given background', async (degrees, ...size) => {
    const turned = await edited(filled(40, 30, BLUE), { kind: 'rotate', degrees, color: '#00ff0000' });
    expect(sizeOf(turned)).toEqual(size);
    expect(turned[15]?.[20]).toEqual(BLUE);
    if (Math.abs(degrees) > 1 && degrees < 90) expect(turned[0]?.[0]).toEqual(GREEN);
  });

  it('crops an area, limited to the image', async () => {
    const image = pngOf([
      [RED, GREEN],
      [BLUE, CLEAR],
    ]);
    expect(await edited(image, { kind: 'crop', width: 9, height: 1, at: { x: 1, y: 0 } })).toEqual([[GREEN]]);
    expect(await edited(image, { kind: 'crop', width: 2, height: 3, at: { x: -1, y: -1 } })).toEqual([[RED], [BLUE]]);
    await expect(edited(image, { kind: 'crop', width: 2, height: 2, at: { x: 2, y: 0 } })).rejects.toThrow(
      'outside the image, which has 2 x 2 pixels',
    );
  });

  it('puts a border around it without filling transparent areas', async () => {
    const framed = await edited(pngOf([[CLEAR]]), { kind: 'border', width: 2, height: 1, color: '#ff0000' });
    expect(sizeOf(framed)).toEqual([5, 3]);
    expect(framed[0]?.[0]).toEqual(RED);
    expect(framed[1]?.[2]?.[3]).toBe(0);
  });

  it('makes pixels of one colour transparent, and no others', async () => {
    const pixels = await edited(pngOf([[RED, BLUE]]), { kind: 'transparent', color: 'red' });
    expect(pixels[0]?.map((pixel) => pixel[3])).toEqual([0, 255]);
  });

  it.each<[ResizeOption, number, number, number, number]>([
    ['ignoreAspectRatio', 20, 20, 20, 20],
    ['maximumArea', 20, 20, 23, 17],
    ['maximumArea', 500, 500, 577, 433],
    ['minimumArea', 20, 20, 27, 20],
    ['minimumArea', 30, 100, 133, 100],
    ['onlyIfLarger', 20, 20, 20, 15],
    ['onlyIfLarger', 100, 50, 40, 30],
    ['onlyIfLarger', 10, 60, 10, 8],
    ['onlyIfSmaller', 20, 20, 40, 30],
    ['onlyIfSmaller', 100, 50, 67, 50],
    ['percent', 50, 10, 20, 3],
  ])('resizes 40 x 30 by %s of %d and %d to %d x %d', async (option, width, height, ...size) => {
    expect(sizeOf(await edited(filled(40, 30, BLUE), { kind: 'resize', width, height, option }))).toEqual(size);
  });

  it.each<[number, number, number, number]>([
    [10, 0, 43, 30],
    [0, 10, 40, 37],
    [-30, 5, 48, 34],
  ])('shears by %d and %d degrees on a transparent background', async (degreesX, degreesY, ...size) => {
    const sheared = await edited(filled(40, 30, BLUE), { kind: 'shear', degreesX, degreesY });
    expect(sizeOf(sheared)).toEqual(size);
    expect(sheared[15]?.[20]).toEqual(BLUE);
    expect(sheared.flat().some((pixel) => pixel[3] === 0)).toBe(true);
  });

  it('blurs an edge, and nothing far from it', async () => {
    const image = pngOf(Array.from({ length: 8 }, () => [...Array(20).fill(RED), ...Array(20).fill(BLUE)]));
    const [row] = await edited(image, { kind: 'blur', radius: 5, sigma: 2 });
    expect(row?.[0]).toEqual(RED);
    expect(row?.[39]).toEqual(BLUE);
    expect(row?.[19]?.[0]).toBeGreaterThan(120);
    expect(row?.[19]?.[2]).toBeGreaterThan(60);
  });

  it('draws a rectangle, a circle and a line up to their ends', async () => {
    const draw = { kind: 'draw', color: '#ff000000', cornerRadius: 0 } as const;
    const image = filled(40, 30, BLUE);
    const rectangle = await edited(image, { ...draw, shape: 'rectangle', from: { x: 5, y: 5 }, to: { x: 15, y: 10 } });
    expect([rectangle[5]?.[5], rectangle[10]?.[15]]).toEqual([RED, RED]);
    expect([rectangle[4]?.[4], rectangle[11]?.[16]]).toEqual([BLUE, BLUE]);
    const circle = await edited(image, { ...draw, shape: 'circle', from: { x: 20, y: 15 }, to: { x: 20, y: 10 } });
    expect([circle[15]?.[20], circle[10]?.[20], circle[15]?.[25]]).toEqual([RED, RED, RED]);
    expect([circle[9]?.[20], circle[15]?.[26], circle[10]?.[25]]).toEqual([BLUE, BLUE, BLUE]);
    const line = await edited(image, { ...draw, shape: 'line', from: { x: 5, y: 5 }, to: { x: 15, y: 5 } });
    expect(line[5]?.map((pixel, x) => (pixel[0] === 255 ? x : -1)).filter((x) => x >= 0)).toEqual([
      5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]);
    const round = await edited(image, {
      ...draw,
      cornerRadius: 8,
      shape: 'rectangle',
      from: { x: 5, y: 5 },
      to: { x: 30, y: 25 },
    });
    expect([round[5]?.[5], round[15]?.[15]]).toEqual([BLUE, RED]);
  });

  it.each<[TextAnchor['horizontal'], TextAnchor['vertical'], (x: number, y: number) => boolean]>([
    ['west', 'north', (x, y) => x < 100 && y < 50],
    ['east', 'south', (x, y) => x > 100 && y > 50],
    ['center', 'middle', (x, y) => x > 60 && x < 140 && y > 30 && y < 75],
  ])(
    'writes text at the %s and %s, and treats no character of it as an instruction',
    async (horizontal, vertical, isThere) => {
      const text = {
        kind: 'text',
        size: 18,
        color: 'black',
        at: { x: 4, y: 4 },
        isBold: false,
        isItalic: false,
      } as const;
      const marks = async (value: string): Promise<number> => {
        const pixels = await edited(filled(200, 100, [255, 255, 255, 255]), {
          ...text,
          anchor: { horizontal, vertical },
          text: value,
        });
        const dark = pixels.flatMap((row, y) =>
          row.flatMap((pixel, x) => ((pixel[0] ?? 255) < 128 ? [[x, y] as const] : [])),
        );
        expect(dark.every(([x, y]) => isThere(x, y))).toBe(true);
        return dark.length;
      };
      expect(await marks('Hg')).toBeGreaterThan(50);
      expect(await marks('@/etc')).toBeGreaterThan(50);
      expect(await marks('%w\\n')).toBeGreaterThan(40);
      expect(await marks(`"';}`)).toBeGreaterThan(5);
    },
  );

  it.each<[Operator, readonly number[]]>([
    ['Over', [173, 55, 83, 223]],
    ['In', [255, 0, 0, 95]],
    ['Out', [255, 0, 0, 32]],
    ['Atop', [159, 64, 96, 191]],
    ['Xor', [112, 96, 144, 128]],
    ['Multiply', [91, 55, 83, 223]],
    ['Difference', [146, 110, 165, 223]],
    ['Copy', [255, 0, 0, 127]],
    ['CopyBlue', [64, 128, 0, 191]],
    ['CopyOpacity', [64, 128, 192, 127]],
    ['Bumpmap', [19, 38, 57, 236]],
    ['Add', [63, 128, 192, 255]],
    ['Subtract', [191, 127, 63, 255]],
  ])('combines two images by %s where they overlap, as GraphicsMagick does', async (operator, color) => {
    const image = filled(4, 4, [64, 128, 192, 191]);
    const { bytes, format } = editImage({
      image,
      layers: [filled(2, 2, [255, 0, 0, 127])],
      steps: [{ kind: 'composite', layer: 0, operator, at: { x: -1, y: 1 } }],
    });
    const pixels = await pixelsOf(bytes);
    expect(format).toBe('png');
    for (const [channel, value] of color.entries())
      expect(Math.abs((pixels[1]?.[0]?.[channel] ?? -9) - value)).toBeLessThanOrEqual(1);
    expect(pixels[1]?.[1]).toEqual([64, 128, 192, 191]);
    expect(pixels[3]?.[0]).toEqual([64, 128, 192, 191]);
  });

  it.each<[string, readonly number[]]>([
    ['#ff000000', RED],
    ['#ff0000ff', [255, 0, 0, 0]],
    ['#f00', RED],
    ['blue', BLUE],
    ['rgb(0,255,0)', GREEN],
  ])('reads the colour %s, whose last digits are the transparency', async (color, pixel) => {
    const { bytes } = editImage({ layers: [], steps: [{ kind: 'create', width: 1, height: 1, color }] });
    const made = await pixelsOf(bytes);
    expect(pixel[3] === 0 ? made[0]?.[0]?.[3] : made[0]?.[0]).toEqual(pixel[3] === 0 ? 0 : pixel);
  });

  it.each(['nocolour', '', '#12', '#gggggg', '@/etc/passwd'])('rejects the colour "%s"', (color) => {
    const steps: ImageStep[] = [{ kind: 'create', width: 1, height: 1, color }];
    expect(() => editImage({ layers: [], steps })).toThrow('Not a colour');
  });

  it.each<WrittenFormat>(['bmp', 'gif', 'jpeg', 'png', 'tiff', 'webp'])('writes and reads %s', (format) => {
    const { bytes } = editImage({ image: filled(8, 6, RED), layers: [], steps: [], format });
    expect(formatOf(bytes)).toBe(format);
    expect(describeImage(bytes)).toMatchObject({ format: format.toUpperCase(), size: { width: 8, height: 6 } });
  });

  it('keeps the frames of an animation, and changes each', async () => {
    const step: ImageStep = { kind: 'resize', width: 4, height: 4, option: 'ignoreAspectRatio' };
    const { bytes, format } = editImage({ image: ANIMATION, layers: [], steps: [step] });
    expect(format).toBe('gif');
    expect(describeImage(bytes)).toMatchObject({ Frames: 2, size: { width: 4, height: 4 } });
    expect(editImage({ image: ANIMATION, layers: [], steps: [step], format: 'png' }).format).toBe('png');
  });
});

/** Two frames of 2 x 2 pixels; the second one covers only the right half. */
const ANIMATION = Buffer.from(
  [
    ...['47494638396102000200f00000ff00000000ff', '21f90400000000002c000000000200020000', '0203846105', '00'],
    ...['21f90400000000002c01000000010002000002', '02440a', '003b'],
  ].join(''),
  'hex',
);

describe('a broken file', () => {
  const whole = filled(16, 16, RED);

  it.each<[string, Uint8Array, RegExp]>([
    ['is empty', new Uint8Array(), /not an image/],
    ['is a script', Buffer.from('push graphic-context\nimage over 0,0 0,0 "/etc/passwd"'), /not an image/],
    ['is a vector image', Buffer.from('<svg><image href="/etc/passwd"/></svg>'), /not an image/],
    ['is truncated', whole.subarray(0, 40), /cannot be read/],
    ['has a wrong checksum', Buffer.concat([whole.subarray(0, 29), Buffer.alloc(40)]), /cannot be read/],
    ['has only a header', Buffer.from('GIF89a'), /cannot be read|size|at least 1/],
  ])('that %s gives a matching error', (_, bytes, message) => {
    expect(() => editImage({ image: bytes, layers: [], steps: [] })).toThrow(message);
    expect(() => editImage({ image: bytes, layers: [], steps: [] })).not.toThrow(/\.c\//);
  });
});
