import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { type EchoServer, serveEcho } from '@weft/outbound/testing';
import { type NodeRun, runNode, type Stub } from '../http-request/testing/run-node';
import { runRssFeedRead } from './executor';
import { textOfHtml } from './text-of-html';

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="i"><channel><title>Feed</title>
<item><title><![CDATA[A &amp; <b>B</b>]]></title><link>http://x.example/1</link><guid isPermaLink="true">g1</guid>
<dc:creator>Ann</dc:creator>
<pubDate>Thu, 09 Feb 2023 13:40:00 GMT</pubDate>
<description>&lt;p&gt;Caf&eacute;&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;</description>
<category>one</category><category domain="d">two</category>
<enclosure url="http://x.example/a.mp3" length="5" type="audio/mpeg"/>
<content:encoded><![CDATA[<i>full</i>]]></content:encoded><itunes:duration>10</itunes:duration>
<itunes:image href="http://x.example/i.png"/><own a="1">mine</own></item>
<item><title>Second</title><pubDate>no date</pubDate></item></channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="html">T &amp;amp; U</title>
<link rel="self" href="s"/><link rel="alternate" href="http://x.example/a"/>
<updated>2024-01-02T03:04:05Z</updated><author><name>Bo</name></author><id>urn:1</id><summary>short</summary>
<content type="xhtml"><div>long <b>text</b></div></content></entry></feed>`;
const RDF =
  '<rdf:RDF><channel/><item rdf:about="http://x.example/r"><title>R</title><dc:date>' +
  '2024-05-06</dc:date></item></rdf:RDF>';

describe('the feed node', () => {
  let server: EchoServer;
  let client: OutboundClient;
  let feed: string;
  let status = 200;
  beforeAll(async () => {
    server = await serveEcho((_seen, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' }).end(feed);
    });
    client = createOutboundClient({ allow: ['127.0.0.0/8'] });
  });
  beforeEach(() => {
    status = 200;
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  const given = (parameters: { [key: string]: Stub } = {}, more: Partial<NodeRun> = {}) =>
    runNode(
      client,
      { version: 1.2, ...more, parameters: { url: `${server.url}/feed`, ...parameters } },
      runRssFeedRead,
    );

  it('outputs the entries of an RSS feed', async () => {
    feed = RSS;
    const items = await given({ options: { customFields: 'own, missing' } });
    expect(items.map((item) => item.json)).toEqual([
      {
        title: 'A &amp; <b>B</b>',
        link: 'http://x.example/1',
        guid: 'g1',
        creator: 'Ann',
        'dc:creator': 'Ann',
        pubDate: 'Thu, 09 Feb 2023 13:40:00 GMT',
        isoDate: '2023-02-09T13:40:00.000Z',
        content: '<p>Café</p><p>two</p>',
        contentSnippet: 'Café\ntwo',
        categories: ['one', { _: 'two', $: { domain: 'd' } }],
        enclosure: { url: 'http://x.example/a.mp3', length: '5', type: 'audio/mpeg' },
        'content:encoded': '<i>full</i>',
        'content:encodedSnippet': 'full',
        itunes: { duration: '10', image: 'http://x.example/i.png' },
        own: 'mine',
      },
      { title: 'Second', pubDate: 'no date' },
    ]);
    expect(items[1]?.pairedItem).toEqual({ item: 0 });
  });

  it('outputs the entries of an Atom feed', async () => {
    feed = ATOM;
    expect((await given()).map((item) => item.json)).toEqual([
      {
        title: 'T &amp; U',
        link: 'http://x.example/a',
        pubDate: '2024-01-02T03:04:05.000Z',
        isoDate: '2024-01-02T03:04:05.000Z',
        author: 'Bo',
        id: 'urn:1',
        summary: 'short',
        content: '<div>long <b>text</b></div>',
        contentSnippet: expect.stringContaining('long'),
      },
    ]);
  });

  it('outputs the entries of an RSS 1.0 feed', async () => {
    feed = RDF;
    expect((await given()).map((item) => item.json)).toEqual([
      {
        title: 'R',
        date: '2024-05-06',
        'dc:date': '2024-05-06',
        isoDate: '2024-05-06T00:00:00.000Z',
        'rdf:about': 'http://x.example/r',
      },
    ]);
  });

  it.each([
    [1, 1, [{ item: 0 }, { item: 1 }]],
    [1.1, 2, { item: 0 }],
  ])('of version %d reads %d feeds for two items', async (version, requests, pairedItem) => {
    feed = RDF;
    server.seen.length = 0;
    const items = await given({}, { version, items: [{ json: {} }, { json: {} }] });
    expect(server.seen).toHaveLength(requests);
    expect(items[0]?.pairedItem).toEqual(pairedItem);
  });

  it.each([
    ['neither an RSS nor an Atom feed', '<html><body>x</body></html>'],
    ['cannot be read', 'not xml <<<'],
    ['cannot be read', '<rss>'.repeat(200)],
    ['cannot be read', '<rss><channel><item><__proto__>x</__proto__></item></channel></rss>'],
  ])('reports %s', async (message, text) => {
    feed = text;
    await expect(given()).rejects.toThrow(message);
    expect(await given({}, { continueOnFail: true })).toEqual([
      { json: { error: expect.stringContaining(message) }, pairedItem: { item: 0 } },
    ]);
  });

  it('does not expand entities that a document declares', async () => {
    feed =
      `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(50)}"><!ENTITY x SYSTEM ` +
      '"file:///etc/passwd">]><rss><channel><item><title>&a;&x;</title></item></channel></rss>';
    const answer = await given().then(
      ([item]) => item?.json['title'],
      (error: unknown) => String(error),
    );
    expect(answer).not.toMatch(/aaaa|root:/);
  });

  it('fails for an unsuccessful status and for a forbidden address', async () => {
    status = 500;
    await expect(given()).rejects.toThrow('The service was not able to process your request');
    await expect(given({ url: 'http://169.254.169.254/' })).rejects.toThrow('link-local-address');
    await expect(given({ url: 'feed' })).rejects.toThrow('URL must start with');
  });
});

describe('the text of HTML', () => {
  it('has no tags, in time linear in its length', () => {
    expect(textOfHtml('<p>a</p><p>b &amp; c</p>d<br/>e <i>f</i> 1 < 2')).toBe('a\nb & c\nd\ne f 1 < 2');
    const hostile = '<'.repeat(2_000_000);
    expect(textOfHtml(hostile)).toBe(hostile);
  });
});
