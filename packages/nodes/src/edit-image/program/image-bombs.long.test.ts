import { deflateSync } from 'node:zlib';
import { within } from '@weft/service-kit/time-limit';
import { openFormats } from '../../shared/file-formats/open-formats';
import { type FormatContext, runFormatTask } from '../../shared/file-formats/run-format-task';
import { pngOf, pngWith } from '../../testing/files/png-of';
import type { ImageStep } from './image-tasks';

const formats = openFormats({ memoryMb: 256, timeoutMs: 5_000 });
afterAll(() => formats.close());
const { signal } = new AbortController();
const contextOf = (owner: string): FormatContext => ({ signal, ports: { formats: formats.of(owner) } });

const small = pngOf([[[255, 0, 0, 255]]]);
const BLANK = deflateSync(Buffer.alloc(5_000 * (5_000 * 4 + 1)), { level: 9 });
const step = (one: ImageStep) => ({ image: small, layers: [], steps: [one] });

/** Pause in milliseconds between two tasks of the healthy owner. Without it they would use one core. */
const PAUSE_MS = 50;

/** Tasks that exceed their limits: their name and the expected error. */
const BOMBS: readonly (readonly [name: string, task: Parameters<typeof edit>[1], error: RegExp])[] = [
  [
    'an image that declares a side of two billion',
    { image: pngWith(2_000_000_000, 1, BLANK), layers: [], steps: [] },
    /at most 25 million|cannot be read/,
  ],
  [
    'an image of 100 million pixels in a small file',
    { image: pngWith(10_000, 10_000, BLANK), layers: [], steps: [] },
    /at most 25 million/,
  ],
  [
    'images of 25 million pixels on top of each other',
    {
      image: pngWith(5_000, 5_000, BLANK),
      layers: [pngWith(5_000, 5_000, BLANK)],
      steps: [{ kind: 'composite', layer: 0, operator: 'Over', at: { x: 0, y: 0 } }],
    },
    /too much memory|took longer/,
  ],
  [
    'a very slow blur',
    {
      layers: [],
      steps: [
        { kind: 'create', width: 4_000, height: 4_000, color: 'red' },
        { kind: 'blur', radius: 1_000, sigma: 1_000 },
      ],
    },
    /took longer|too much memory/,
  ],
  ['a size to create', step({ kind: 'create', width: 1e9, height: 1e9, color: 'red' }), /at most 25 million/],
  ['a size to grow to', step({ kind: 'resize', width: 1e7, height: 1e7, option: 'percent' }), /at most 25 million/],
  ['a border', step({ kind: 'border', width: 1e6, height: 1e6, color: 'red' }), /at most 25 million/],
  [
    'a slope',
    { ...step({ kind: 'shear', degreesX: 0, degreesY: 89.9999 }), image: pngWith(5_000, 5_000, BLANK) },
    /at most 25 million|too much memory|took longer/,
  ],
];

const edit = (
  owner: string,
  task: { readonly image?: Uint8Array; readonly layers: readonly Uint8Array[]; readonly steps: readonly ImageStep[] },
) => runFormatTask(contextOf(owner), 'editImage', task);

describe('an image that exceeds the limits', () => {
  it.each(BOMBS)('%s ends only its own task, and delays no other owner', async (_, task, error) => {
    await edit('healthy', step({ kind: 'rotate', degrees: 90, color: 'red' }));
    let isOver = false;
    const attack = edit('attacker', task).then(
      () => 'a result',
      (thrown: unknown) => String(thrown),
    );
    void attack.then(() => (isOver = true));
    let done = 0;
    do {
      const { format } = await edit('healthy', step({ kind: 'rotate', degrees: 90, color: 'red' }));
      expect(format).toBe('png');
      done += 1;
      await within(attack, PAUSE_MS);
    } while (!isOver);
    expect(await attack).toMatch(error);
    expect(done).toBeGreaterThan(0);
  });
});
