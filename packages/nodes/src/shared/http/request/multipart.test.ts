import { writeMultipart } from './multipart';

describe('a multipart body', () => {
  it('has values and files between its boundaries', () => {
    const { contentType, bytes } = writeMultipart(
      [
        { name: 'a', content: '1' },
        { name: 'f', content: Uint8Array.from([0, 255]), fileName: 'x.bin', contentType: 'application/octet-stream' },
      ],
      'b',
    );
    expect(contentType).toBe('multipart/form-data; boundary=b');
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      [
        '--b',
        'Content-Disposition: form-data; name="a"',
        '',
        '1',
        '--b',
        'Content-Disposition: form-data; name="f"; filename="x.bin"',
        'Content-Type: application/octet-stream',
        '',
        '\x00\xff',
        '--b--',
        '',
      ].join('\r\n'),
    );
  });

  it('prevents injection of headers and parts by names and types', () => {
    const { bytes } = writeMultipart(
      [{ name: 'a"\r\nX: 1\r\n\r\n', content: '', fileName: 'b"\r\nX: 1', contentType: 'text/plain\r\nX: 1' }],
      'b',
    );
    expect(Buffer.from(bytes).toString().split('\r\n')).toEqual([
      '--b',
      'Content-Disposition: form-data; name="a%22%0D%0AX: 1%0D%0A%0D%0A"; filename="b%22%0D%0AX: 1"',
      'Content-Type: text/plainX: 1',
      '',
      '',
      '--b--',
      '',
    ]);
  });

  it('has a different boundary each time', () => {
    expect(writeMultipart([]).contentType).not.toBe(writeMultipart([]).contentType);
  });
});
