import { addressOf, copySource, type S3Server } from './address';
import { deleteXml } from './xml';

const server = (endpoint: string, pathStyle: boolean): S3Server => ({ endpoint: new URL(endpoint), pathStyle });
const PATHS = server('https://s3.example.com/base/', true);
const HOSTS = server('https://s3.example.com', false);

describe('the URL of a request', () => {
  it('has the bucket in the path or in the host, never in the host for a name with dots', () => {
    expect(addressOf(PATHS, { bucket: 'box', key: 'a/b' }, {}, 0).href).toBe('https://s3.example.com/base/box/a/b');
    expect(addressOf(HOSTS, { bucket: 'box', key: 'a/b' }, {}, 0).href).toBe('https://box.s3.example.com/a/b');
    expect(addressOf(HOSTS, { bucket: 'my.box', key: 'a' }, {}, 0).href).toBe('https://s3.example.com/my.box/a');
    expect(addressOf(HOSTS, {}, {}, 0).href).toBe('https://s3.example.com/');
  });

  it('encodes every special character of a key and a query', () => {
    const key = "ä b+c?d#e%20f&g'(h)*!\n:@=";
    const url = addressOf(PATHS, { bucket: 'box', key }, { prefix: 'x&y=z#' }, 0);
    expect(url.pathname).toBe('/base/box/%C3%A4%20b%2Bc%3Fd%23e%2520f%26g%27%28h%29%2A%21%0A%3A%40%3D');
    expect(url.search).toBe('?prefix=x%26y%3Dz%23');
    expect(decodeURIComponent(url.pathname)).toBe(`/base/box/${key}`);
  });

  it.each(['../other/secret', 'a/../../other', './a', 'a/.', '', '\ud800', 'x'.repeat(1025)])(
    'rejects the key "%s", which would be another file or none',
    (key) => {
      expect(() => addressOf(PATHS, { bucket: 'box', key }, {}, 0)).toThrow(/key/);
    },
  );

  it.each(['evil.com/x', 'a', '..', 'a..b', 'box?x', 'box#', 'böx', 'box\nHost: x', 'user:pw@host', 'x'.repeat(64)])(
    'rejects the bucket "%s", which would be another server',
    (bucket) => {
      expect(() => addressOf(HOSTS, { bucket, key: 'a' }, {}, 0)).toThrow('Invalid bucket name');
    },
  );

  it('names the source of a copy with its version', () => {
    expect(copySource('/box/a b/ü', 0)).toBe('/box/a%20b/%C3%BC');
    expect(copySource('box/a?versionId=1_x', 0)).toBe('/box/a?versionId=1_x');
    expect(() => copySource('/box', 0)).toThrow('must be "/bucket/key"');
    expect(() => copySource('/box/../other/key', 0)).toThrow('must not have');
  });
});

describe('the XML of a request', () => {
  it('escapes all names', () => {
    const xml = Buffer.from(deleteXml(['a</Key></Object><Object><Key>b & "c"', 'x\ny'], 0)).toString();
    expect(xml.match(/<Key>/g)).toHaveLength(2);
    expect(xml).toContain('a&lt;/Key&gt;&lt;/Object&gt;&lt;Object&gt;&lt;Key&gt;b &amp; &quot;c&quot;');
    expect(xml).toContain('x&#10;y');
  });

  it('rejects characters that XML cannot represent', () => {
    expect(() => deleteXml(['a\u0000b'], 0)).toThrow('cannot transfer');
  });
});
