import type { ChatPage } from '@weft/proto/channels';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

const PAGE: ChatPage = {
  title: 'Help <b>',
  subtitle: '',
  initialMessages: ['Hi "there" </script>'],
  placeholder: 'Ask',
  takesFiles: false,
  loadsSession: false,
  css: 'p { color: red }</style><script>alert(1)</script>',
};

describe('the page of a chat', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const open = (authentication = 'none') => {
    const callers = { authentication, credentialId: '', ipWhitelist: [], ignoreBots: false };
    gateway.workflows.webhooks.set('GET c/chat', webhookAt({}, { callers, chat: PAGE }));
    return gateway.ask('GET', '/webhook/c/chat', {});
  };

  it('runs our script alone, whatever its author wrote', async () => {
    const { status, headers, text } = await open();
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[^']+'; connect-src 'self'; /,
    );
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).toContain('Help &#60;b&#62;');
    expect(text).not.toContain('</script>"');
  });

  it('has a script and styles that can be cached forever', async () => {
    const { text } = await open();
    for (const [, path = ''] of text.matchAll(/(?:href|src)="(\/chat-files\/[^"]+)"/g)) {
      const file = await gateway.ask('GET', path, {});
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    expect((await gateway.ask('GET', '/chat-files/../../package.json', {})).status).toBe(404);
  });

  it('starts no run, and is not shown to callers who may not chat', async () => {
    gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 401, claimsJson: '', secretHeader: '' };
    const refused = await open('basicAuth');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="webhook"']);
    expect(gateway.executions.callsOf('startExecution')).toEqual([]);
  });
});
