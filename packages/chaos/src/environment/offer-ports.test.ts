import { createOfferPorts } from './offer-ports';

const message = (payload: string): Buffer => Buffer.from(`MSG weft.offers 3 ${payload.length}\r\n${payload}\r\n`);

describe('the ports of offers', () => {
  it('are those of the proxies of the runner that reads them, and the offered executions are counted once', () => {
    const ports = createOfferPorts();
    ports.add(0, 41_000, 51_000);
    ports.add(0, 41_001, 51_001);
    ports.add(1, 41_000, 52_000);
    const first = message('127.0.0.1:41000 awaited a1,b2');
    const both = Buffer.concat([first, message('127.0.0.1:41001 awaited c3')]);
    expect(ports.rewriteFor(0)(both, true)).toEqual(
      Buffer.concat([message('127.0.0.1:51000 awaited a1,b2'), message('127.0.0.1:51001 awaited c3')]),
    );
    expect(ports.rewriteFor(1)(first, true)).toEqual(message('127.0.0.1:52000 awaited a1,b2'));
    expect(ports.count()).toBe(3);
  });

  it('leave alone what the runner sends, and other messages', () => {
    const ports = createOfferPorts();
    ports.add(0, 41_000, 51_000);
    const offer = message('127.0.0.1:41000 awaited a1');
    expect(ports.rewriteFor(0)(offer, false)).toBe(offer);
    const foreign = message('127.0.0.1:49999 awaited a1');
    expect(ports.rewriteFor(0)(foreign, true)).toEqual(foreign);
    expect(ports.count()).toBe(0);
  });
});
