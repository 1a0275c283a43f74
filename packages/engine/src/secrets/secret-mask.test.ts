import type { Outputs } from '../items/items';
import { SecretMask } from './secret-mask';

const maskOf = (...secrets: string[]): SecretMask => {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return mask;
};

describe('a mask of secrets', () => {
  it('hides a secret as it is, percent-encoded, in Base64 and within JSON text', () => {
    const secret = 'hunter2 "s3cret"/ü';
    const mask = maskOf(secret);
    for (const form of [
      secret,
      encodeURIComponent(secret),
      encodeURIComponent(secret).replaceAll('%20', '+'),
      Buffer.from(secret).toString('base64'),
      JSON.stringify(secret).slice(1, -1),
    ])
      expect(mask.text(`<${form}> and ${form}`)).toBe('<***> and ***');
    expect(mask.text('hunter2 is no secret')).toBe('hunter2 is no secret');
  });

  it('hides a secret in hexadecimal, in upper case and in Base64 for addresses', () => {
    const mask = maskOf('s3cret??>>key');
    for (const form of [
      'S3CRET??>>KEY',
      Buffer.from('s3cret??>>key').toString('hex'),
      Buffer.from('s3cret??>>key').toString('hex').toUpperCase(),
      Buffer.from('s3cret??>>key').toString('base64url'),
    ])
      expect(mask.text(`<${form}>`)).toBe('<***>');
  });

  it('hides a secret within a longer text in Base64, such as a header or a login', () => {
    const secret = 'a-t0ken??>>of-a-service';
    for (const before of ['Bearer ', 'ab:', '\0user\0', 'x'])
      for (const behind of ['', '!', '\0\0']) {
        const text = Buffer.from(`${before}${secret}${behind}`);
        for (const form of [text.toString('base64'), text.toString('base64url')]) {
          const masked = maskOf(secret).text(form);
          expect(masked).toContain('***');
          expect(Buffer.from(masked.replace('***', ''), 'base64').toString('latin1')).not.toMatch(/t0ken|service/);
        }
      }
  });

  it('hides a secret in strings within strings of JSON and in addresses within addresses', () => {
    const secret = 'p"q\\r/s\nt%u&v';
    const mask = maskOf(secret);
    let json = secret;
    let address = secret;
    for (let depth = 0; depth < 4; depth += 1) {
      json = JSON.stringify(json).slice(1, -1);
      address = encodeURIComponent(address);
      expect(mask.text(`<${json}> <${address}>`)).toBe('<***> <***>');
    }
  });

  it('hides a secret that was quoted before it was encoded', () => {
    const quoted = 'the "s3cret"'.replaceAll('"', '\\"');
    for (const form of [
      encodeURIComponent(quoted),
      Buffer.from(quoted).toString('hex'),
      Buffer.from(quoted).toString('base64'),
    ])
      expect(maskOf('the "s3cret"').text(form)).toBe('***');
  });

  it('reads hostile runs of what it repeats once', () => {
    const mask = maskOf('"\\"secret', '\\\\\nsecret', '%%%secret');
    const text = `${'\\'.repeat(1_000_000)}"${'%25'.repeat(300_000)}`;
    expect(mask.text(text)).toBe(text);
  });

  it('hides secrets in what is said of a file before it is stored', () => {
    const mask = maskOf('the-secret!');
    expect(mask.file({ mimeType: 'a/b', fileName: 'of the-secret!' })).toEqual({ mimeType: 'a/b', fileName: 'of ***' });
  });

  it('hides secrets in names of fields, of files and of their properties', () => {
    const mask = maskOf('the-secret!');
    const file = { id: 'f', mimeType: 'text/plain', fileName: 'for the-secret!.txt', fileSize: 1 };
    const json = { 'the-secret!': 1, 'The-Secret!': 2, nested: { 'of the-secret!': 3 }, __proto: 4 };
    expect(mask.outputs([[{ json, binary: { 'the-secret!': file, plain: { ...file, fileName: 'a' } } }]])).toEqual([
      [
        {
          json: { '***': 1, '****': 2, nested: { 'of ***': 3 }, __proto: 4 },
          binary: { '***': { ...file, fileName: 'for ***.txt' }, plain: { ...file, fileName: 'a' } },
        },
      ],
    ]);
  });

  it('hides what a credential type declares, also if it is short', () => {
    const mask = new SecretMask();
    mask.learn('httpHeaderAuth', { name: 'X-Build-Version', value: 'seven77' });
    expect(mask.text('seven77')).toBe('***');
  });

  it('takes secrets literally, however they are written, and the longer one first', () => {
    expect(maskOf('a.c(d)[e]|$', 'a.c(d)[e]|$ and more').text('x a.c(d)[e]|$ and more, a.c(d)[e]|$, abc(d)[e]|$')).toBe(
      'x ***, ***, abc(d)[e]|$',
    );
    expect(maskOf('\\d+\\d+\\d+').text('11111111 \\d+\\d+\\d+')).toBe('11111111 ***');
  });

  it('returns values without a secret unchanged: the very same objects', () => {
    const outputs: Outputs = [
      [
        { json: { a: ['plain', { deep: 'the-secret!' }], b: { c: 'kept' } } },
        { json: { a: 'plain text' }, pairedItem: 1 },
      ],
    ];
    const [masked] = maskOf('the-secret!').outputs(outputs);
    expect(masked?.[0]).toEqual({ json: { a: ['plain', { deep: '***' }], b: { c: 'kept' } } });
    expect(masked?.[0]?.json['b']).toBe(outputs[0]?.[0]?.json['b']);
    expect(masked?.[1]).toBe(outputs[0]?.[1]);
    expect(new SecretMask().outputs(outputs)).toBe(outputs);
  });

  it('hides secrets in errors and in items that stand for one', () => {
    const mask = maskOf('the-secret!');
    expect(
      mask.error({
        name: 'E',
        message: 'no the-secret!',
        description: 'the-secret!',
        context: { said: ['the-secret!'] },
      }),
    ).toEqual({ name: 'E', message: 'no ***', description: '***', context: { said: ['***'] } });
    expect(mask.outputs([[{ json: {}, error: { message: 'the-secret!' } }]])[0]?.[0]?.error).toEqual({
      message: '***',
    });
  });

  it('ignores short strings, drops secrets on request, and holds a bounded number', () => {
    expect(maskOf('seven77').text('seven77 seven77')).toBe('seven77 seven77');
    const mask = maskOf('the-secret!');
    mask.clear();
    expect(mask.text('the-secret!')).toBe('the-secret!');
    const full = maskOf(...Array.from({ length: 100 }, (_, n) => `secret-${String(n).padStart(3, '0')}`));
    expect(full.text('secret-063 secret-064')).toBe('*** secret-064');
  });

  it('processes long text quickly', () => {
    const mask = maskOf(...Array.from({ length: 64 }, (_, n) => `${n}-${'x'.repeat(30)}-secret`));
    const outputs: Outputs = [
      Array.from({ length: 1_000 }, (_, n) => ({ json: { text: `${n} ${'lorem ipsum '.repeat(300)}` } })),
    ];
    const begin = process.cpuUsage();
    expect(mask.outputs(outputs)[0]?.[0]).toBe(outputs[0]?.[0]);
    // 3.6 MB take well below a tenth of that, also on a busy machine.
    expect(process.cpuUsage(begin).user).toBeLessThan(3_000_000);
  });
});
