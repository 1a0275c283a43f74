import { composeMail } from './compose-mail';

const text = async (draft: Parameters<typeof composeMail>[0]): Promise<string> =>
  Buffer.from(await composeMail(draft)).toString();

describe('a composed mail', () => {
  it('encodes its headers, and keeps blind copies for the service that sends it', async () => {
    const mail = await text({
      to: 'Zoë <zoe@example.com>',
      bcc: 'eve@example.com',
      inReplyTo: '<1@example.com>',
      references: '<0@example.com> <1@example.com>',
      subject: 'Grüße',
      text: 'Hello',
      attachments: [],
    });
    expect(mail).toContain('To: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.com>\r\n');
    expect(mail).toContain('Bcc: eve@example.com\r\n');
    expect(mail).toContain('In-Reply-To: <1@example.com>\r\n');
    expect(mail).toContain('References: <0@example.com> <1@example.com>\r\n');
    expect(mail).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\r\n');
    expect(mail).not.toMatch(/^From:/m);
  });

  it('contains no header from the name or type of a file', async () => {
    const file = { fileName: 'a\r\nX-Name: 1', mimeType: 'text/csv\r\nX-Type: 1', content: Buffer.from('1,2') };
    const mail = await text({ subject: 's', html: '<b>Hi</b>', attachments: [file] });
    expect(mail).not.toMatch(/^X-/m);
    expect(mail).toContain(Buffer.from('1,2').toString('base64'));
  });

  it('reads no file and no URL that it names', async () => {
    const mail = await text({ subject: 's', html: '<img src="file:///etc/hostname">', attachments: [] });
    expect(mail).toContain('file:///etc/hostname');
  });
});
