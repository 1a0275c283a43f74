import { gzipSync } from 'node:zlib';
import { pack, unpack } from './packed-bytes';

const REPETITIVE = Buffer.from('{"a":1}'.repeat(10_000));

describe('bytes of run data', () => {
  it('are compressed where that saves a fifth, and are the same afterwards', async () => {
    const packed = await pack(REPETITIVE);
    expect(packed.rawBytes).toBe(REPETITIVE.length);
    expect(packed.bytes.length).toBeLessThan(REPETITIVE.length / 50);
    expect(await unpack(packed)).toEqual(REPETITIVE);
    const short = REPETITIVE.subarray(0, 4_000);
    expect(await pack(short)).toEqual({ bytes: short });
  });

  it('can be read if an earlier version has compressed them by gzip', async () => {
    expect(await unpack({ bytes: gzipSync(REPETITIVE), rawBytes: REPETITIVE.length })).toEqual(REPETITIVE);
  });

  it('are refused if they expand to more or less than they had', async () => {
    const { bytes } = await pack(REPETITIVE);
    await expect(unpack({ bytes, rawBytes: 100 })).rejects.toThrow();
    await expect(unpack({ bytes, rawBytes: REPETITIVE.length + 1 })).rejects.toThrow('70000 bytes instead of 70001');
  });
});
