import { crc32, deflateSync } from 'node:zlib';

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG whose header declares any size, with these bytes as compressed content. */
export const pngWith = (width: number, height: number, packed: Uint8Array): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', packed),
    chunk('IEND', new Uint8Array()),
  ]);
};

/** A PNG of a few pixels: rows of `[red, green, blue, alpha]`. */
export const pngOf = (rows: readonly (readonly (readonly number[])[])[]): Buffer =>
  pngWith(rows[0]?.length ?? 0, rows.length, deflateSync(Buffer.from(rows.flatMap((row) => [0, ...row.flat()]))));
