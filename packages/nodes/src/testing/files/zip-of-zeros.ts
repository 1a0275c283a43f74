import { crc32, deflateRawSync } from 'node:zlib';

const marked = (type: string, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from(`PK${type}`, 'latin1'), ...parts]);

const VERSION = 20;
const DEFLATE = 8;

/** An archive of files of zeros with these names and one size. zlib compresses them ten times as fast as fflate. */
export function zipOfZeros(names: readonly string[], size: number): Buffer {
  const zeros = Buffer.alloc(size);
  const packed = deflateRawSync(zeros, { level: 1 });
  const checksum = crc32(zeros);
  /** The fields that the header of a file and its directory entry share. */
  const factsOf = (name: string): Buffer => {
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(VERSION, 0);
    facts.writeUInt16LE(DEFLATE, 4);
    facts.writeUInt32LE(checksum, 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    return facts;
  };
  const files = names.map((name) => marked('\x03\x04', factsOf(name), Buffer.from(name), packed));
  let offset = 0;
  const entries = names.map((name, index) => {
    const madeBy = Buffer.alloc(2);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    offset += files[index]?.length ?? 0;
    return marked('\x01\x02', madeBy, factsOf(name), rest, Buffer.from(name));
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(names.length, 4);
  end.writeUInt16LE(names.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, directory, marked('\x05\x06', end)]);
}
