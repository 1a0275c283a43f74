import { socketHost } from './socket-host';

describe('the host of a socket', () => {
  it.each([
    ['127.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1.', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['①②⑦.⓪.⓪.①', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:127.0.0.1'],
    ['fe80::1%lo', 'fe80::1%lo'],
    ['DB.Example.', 'db.example.'],
    ['my_db', 'my_db'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('%s is read as %s', (text, host) => {
    expect(socketHost(text)).toBe(host);
  });

  it.each([
    '',
    'a b',
    '127.0.0.1 ',
    '127.0.0.1:80#.public.example',
    'public.example/',
    'user@public.example',
    '127.0.0.1;public.example',
    'a,b',
    '*.example',
    'a..b',
    '300.1.1.1',
    '[127.0.0.1',
    '/run/db.sock',
    'a\r\nx: y',
  ])('rejects %j', (text) => {
    expect(() => socketHost(text)).toThrow(expect.objectContaining({ rule: 'host' }));
  });
});
