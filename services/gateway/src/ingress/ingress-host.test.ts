import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createIngressHost } from './ingress-host';

const requestTo = (host: string, url: string): IncomingMessage =>
  Object.assign(new IncomingMessage(new Socket()), { headers: { host }, url });

describe('the host of webhooks and forms', () => {
  const servedOf = createIngressHost('https://hooks.example.net/');

  it.each([
    ['hooks.example.net', '/webhook/a', 'ingress'],
    ['HOOKS.example.net:443', '/form/a', 'ingress'],
    ['hooks.example.net', '/form-files/a.css', 'ingress'],
    ['hooks.example.net', '/webhook-waiting/t', 'ingress'],
    ['hooks.example.net', '/settings/', 'nothing'],
    ['hooks.example.net', '/api/v1/workflows', 'nothing'],
    ['hooks.example.net', '/', 'nothing'],
    ['weft.example.com', '/webhook/a', 'moved'],
    ['weft.example.com', '/form-waiting/t', 'moved'],
    ['weft.example.com', '/api/v1/workflows', 'console'],
    ['hooks.example.net:8080', '/api/v1/workflows', 'console'],
    ['', '/webhook/a', 'moved'],
    ['not a host', '/settings/', 'console'],
  ])('%s%s: %s', (host, url, served) => {
    expect(servedOf(requestTo(host, url))).toBe(served);
  });

  it('is that of everything else unless it is set', () => {
    expect(createIngressHost('')(requestTo('a', '/webhook/a'))).toBe('all');
  });
});
