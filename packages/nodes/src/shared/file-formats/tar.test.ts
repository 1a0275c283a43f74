import { gunzipSync } from 'node:zlib';
import { tar, untar } from './tar';
import { isTar } from './tar-header';

const LONG = `d/sub/${'x'.repeat(120)}.txt`;
/** Made by GNU tar: a file, a link, a folder, a file with a long name, and one whose path escapes the archive. */
const GNU =
  'H4sIAAAAAAACA+3WSw6CMBAG4DlKT9AXlG49AJcAIcZoqIESOb6NK4MJhEXrg//btAFWTP6ZaUTF/eQpJhkUef48g/kZZC/38FxJ' +
  'qzQxSQmMg696xqh3bvEvrL3/Ua5rCfarEddzd6Ho+bfWLuR/dle6sBkxLVp/FLdqGO4N8h+r/sNYiwT1N2ZD/aXJFDGD/h8dF1wc' +
  'StedynhtYG3+67f5r4wtiJWof6L8Tx8SffWEL6j/5v0/K0z4HPt/Av7uEIId41zUVRO3D6/nX8/nv5YW+U+hQ/wBAAAAAAAAAAAA' +
  '/tIDdYIQFQAoAAA=';
/** Made by GNU tar in the POSIX format. */
const POSIX =
  'H4sIAAAAAAACA+3WvQ6CMBSG4c5eBVdgfyg4uTt6CzWQOImBGnv5Vl2UAWIiJcr7LG2ApGkPX3Mq6dY+eDElFZXWPsaoP0b5yzw+' +
  '18ZoIzIlErh03rVx+bZpBk9h7H1/cz+iOdUCy1XJ7nKQYvL8b4piIP+qn3+Va5EV5D9R/fcu7GpX1W0nw/eN3f9G2/f659aWVmQh' +
  'Zf0Xmn9tVXZ2/rh9/ghhJvceZMVtPFf+py3ux/2fVSp+Tv+XgL82hAAAAAAAAAAAAAD4EzdolgbIACgAAA==';

const bytesOf = (packed: string): Buffer => Buffer.from(packed, 'base64');
const contentOf = (bytes: Uint8Array, from = 0) =>
  untar({ bytes, from }).files.map((file) => [file.name, Buffer.from(file.bytes).toString()]);

describe('TAR', () => {
  it.each([
    ['GNU', GNU],
    ['POSIX', POSIX],
  ])('returns the plain files of an archive of %s, with long names, and none that escapes it', (_format, packed) => {
    const files = [
      ['d/a.txt', 'one'],
      [LONG, 'two'],
    ];
    expect(contentOf(bytesOf(packed))).toEqual(files);
    expect(contentOf(gunzipSync(bytesOf(packed)))).toEqual(files);
  });

  it.each([true, false])('packs files that it can unpack, whatever their names (gzip: %s)', (gzip) => {
    const names = ['a.txt', LONG, 'ü'.repeat(200), 'empty'];
    const files = names.map((name) => ({ name, bytes: Buffer.from(name === 'empty' ? '' : name) }));
    const archive = tar({ files, gzip });
    expect(contentOf(archive)).toEqual(names.map((name) => [name, name === 'empty' ? '' : name]));
    expect(isTar(archive)).toBe(!gzip);
  });

  it('leaves out absolute paths and paths that escape the archive', () => {
    const names = ['/etc/passwd', '../up', 'a/../../up', 'a/..', '__MACOSX/a', 'kept..txt'];
    const archive = tar({ files: names.map((name) => ({ name, bytes: Buffer.from('x') })), gzip: false });
    expect(contentOf(archive)).toEqual([['kept..txt', 'x']]);
  });

  it('returns large archives in parts', () => {
    const bytes = Buffer.alloc(9 * 1024 * 1024);
    const archive = tar({ files: ['a', 'b', 'c'].map((name) => ({ name, bytes })), gzip: false });
    const first = untar({ bytes: archive, from: 0 });
    expect([first.files.map((file) => file.name), first.next]).toEqual([['a'], 1]);
    const last = untar({ bytes: archive, from: 2 });
    expect([last.files.map((file) => file.name), last.next]).toEqual([['c'], undefined]);
  });

  it('rejects archives that are damaged, truncated, too large or contain too many files', () => {
    const archive = Buffer.from(tar({ files: [{ name: 'a', bytes: Buffer.alloc(600) }], gzip: false }));
    const changed = Buffer.from(archive);
    changed.write('b');
    expect(() => untar({ bytes: changed, from: 0 })).toThrow('wrong checksum');
    expect(() => untar({ bytes: archive.subarray(0, 700), from: 0 })).toThrow('ends within a file');
    expect(() => untar({ bytes: bytesOf(GNU).subarray(0, 40), from: 0 })).toThrow('cannot be unpacked');
    const many = Array.from({ length: 1_001 }, (_, n) => ({ name: String(n), bytes: new Uint8Array() }));
    expect(() => untar({ bytes: tar({ files: many, gzip: false }), from: 0 })).toThrow('more than 1000 files');
    const bomb = tar({ files: [{ name: 'a', bytes: Buffer.alloc(129 * 1024 * 1024) }], gzip: true });
    expect(() => untar({ bytes: bomb, from: 0 })).toThrow('more than 128 MB');
  });
});
