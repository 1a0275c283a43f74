import { ZstdCompress } from 'minizlib';
import { randomBytes } from 'node:crypto';
import { bytesOutlived } from '../testing';
import { pack, unpack } from './packed-bytes';

const REPETITIVE = Buffer.from('{"a":1}'.repeat(10_000));

describe('bytes of run data', () => {
  it.each([7_000, 70_000])('are compressed if that saves a fifth, and unpack to the same bytes: %d', async (length) => {
    const raw = REPETITIVE.subarray(0, length);
    const packed = await pack(raw);
    expect(packed.rawBytes).toBe(length);
    expect(packed.bytes.length).toBeLessThan(length / 50);
    expect(await unpack(packed)).toEqual(raw);
  });

  it('form a separate frame each time, whatever was compressed before or meanwhile', async () => {
    const short = Array.from({ length: 20 }, (_, index) => Buffer.from(`{"n":${index}}`.repeat(1_000 + index * 100)));
    // Its frame exceeds one buffer of the compressor.
    const raws = [...short, Buffer.concat([randomBytes(40_000), Buffer.alloc(24_000)]), ...short];
    const packed = await Promise.all(raws.map(pack));
    for (const [index, one] of packed.entries()) expect(await unpack(one)).toEqual(raws[index]);
  });

  it('form a separate frame after the compressor has failed for other bytes, which alone fail', async () => {
    const read = jest.spyOn(ZstdCompress.prototype, 'read').mockReturnValueOnce(null);
    const raws = [1, 2, 3].map((n) => Buffer.from(`{"n":${n}}`.repeat(1_000)));
    const [lost, ...packed] = await Promise.allSettled(raws.map(pack));
    read.mockRestore();
    expect(lost?.status).toBe('rejected');
    const kept = packed.flatMap((one) => (one.status === 'fulfilled' ? [unpack(one.value)] : []));
    expect(await Promise.all(kept)).toEqual(raws.slice(1));
  });

  it('are compressed without garbage that survives until V8 marks the whole heap', async () => {
    const raw = REPETITIVE.subarray(0, 7_000);
    expect(await bytesOutlived(200, () => pack(raw))).toBeLessThan(1_000);
  });

  it('stay uncompressed if that saves less', async () => {
    const random = randomBytes(7_000);
    expect(await pack(random)).toEqual({ bytes: random });
    const short = REPETITIVE.subarray(0, 4_000);
    expect(await pack(short)).toEqual({ bytes: short });
  });

  it('are refused if decompression needs more memory than the result', async () => {
    const frame = (windowLog: number): Buffer =>
      // Magic number, no checksum, a window; then one last block of three raw bytes.
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, (3 << 3) | 1, 0, 0, 0x61, 0x62, 0x63]);
    for (const rawBytes of [3, 300_000])
      await expect(unpack({ bytes: frame(24), rawBytes })).rejects.toThrow('too much memory');
    expect((await unpack({ bytes: frame(23), rawBytes: 3 })).toString()).toBe('abc');
  });

  it.each([7_000, 70_000])('are refused if they expand to more or less than they had: %d', async (length) => {
    const { bytes } = await pack(REPETITIVE.subarray(0, length));
    await expect(unpack({ bytes, rawBytes: 100 })).rejects.toThrow();
    await expect(unpack({ bytes, rawBytes: length + 1 })).rejects.toThrow(`${length} bytes instead of ${length + 1}`);
  });
});
