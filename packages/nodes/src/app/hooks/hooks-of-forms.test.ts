import { type HookAnswer, requestHook, type SentByHook, URL_OF_HOOK } from '../testing/request-hook';

const requests = ({ sent }: { readonly sent: readonly SentByHook[] }) =>
  sent.map(({ method, path }) => `${method} ${path}`);

describe('the hook of a Jotform trigger', () => {
  const credential = { type: 'jotFormApi', data: { apiKey: 'key', apiDomain: 'api.jotform.com' } };
  const parameters = { form: '7' };
  const address = `${URL_OF_HOOK}?token=s3cret`;
  const withHooks =
    (...urls: string[]): HookAnswer =>
    () => ({ body: { content: { ...urls } } });
  const request = (action: 'register' | 'check' | 'remove', ...urls: string[]) =>
    requestHook('jotFormTrigger', action, credential, withHooks(...urls), { parameters });

  it('has the secret in its address, and is added once', async () => {
    const added = await request('register', URL_OF_HOOK);
    expect(requests(added)).toEqual(['GET /form/7/webhooks', 'POST /form/7/webhooks']);
    expect(added.sent[1]?.body).toBe(`webhookURL=${encodeURIComponent(address)}`);
    expect(requests(await request('register', address))).toEqual(['GET /form/7/webhooks']);
  });

  it('is valid with its secret alone', async () => {
    expect((await request('check', 'https://other.example/', address)).result).toMatchObject({ isValid: true });
    expect((await request('check', `${URL_OF_HOOK}?token=other`)).result).toMatchObject({ isValid: false });
  });

  it('is removed by its place, and no other one is', async () => {
    const removed = await request('remove', `${URL_OF_HOOK}?token=other`, address);
    expect(requests(removed)).toEqual(['GET /form/7/webhooks', 'DELETE /form/7/webhooks/1']);
    expect(requests(await request('remove', `${URL_OF_HOOK}?token=other`))).toHaveLength(1);
    expect((await request('remove')).result).toMatchObject({ kind: 'done' });
  });
});

describe('the hook of a Typeform trigger', () => {
  const credential = { type: 'typeformApi', data: { accessToken: 'token' } };
  const parameters = { formId: 'f1' };
  const own = { tag: 'weft-1', url: URL_OF_HOOK, enabled: true };
  const other = { tag: 'other', url: 'https://other.example/', enabled: true };
  const withHooks =
    (...items: object[]): HookAnswer =>
    () => ({ body: { items } });

  it('is written with its secret, and keeps its tag', async () => {
    const added = await requestHook('typeformTrigger', 'register', credential, withHooks(other), { parameters });
    const [, put] = added.sent;
    expect(put?.path).toMatch(/^\/forms\/f1\/webhooks\/weft-[0-9a-f-]{36}$/);
    expect(JSON.parse(put?.body ?? '')).toEqual({
      url: URL_OF_HOOK,
      enabled: true,
      verify_ssl: true,
      secret: 's3cret',
    });
    expect(added.result).toMatchObject({ kept: { tag: put?.path.split('/').at(-1) } });
    const again = { parameters, kept: { tag: 'weft-1' } };
    const written = await requestHook('typeformTrigger', 'register', credential, withHooks(own), again);
    expect(requests(written)).toEqual(['GET /forms/f1/webhooks', 'PUT /forms/f1/webhooks/weft-1']);
    expect(written.result).toMatchObject({ kept: { tag: 'weft-1' } });
  });

  it('replaces one of a former credential, whose removal then leaves it alone', async () => {
    const replaced = await requestHook('typeformTrigger', 'register', credential, withHooks(own), { parameters });
    expect(requests(replaced)[1]).toBe('DELETE /forms/f1/webhooks/weft-1');
    const now = withHooks({ ...own, tag: 'weft-2' });
    const late = { parameters, kept: { tag: 'weft-1' } };
    expect(requests(await requestHook('typeformTrigger', 'remove', credential, now, late))).toHaveLength(1);
  });

  it('is valid while it is enabled at its address', async () => {
    const check = async (...items: object[]) =>
      (
        await requestHook('typeformTrigger', 'check', credential, withHooks(...items), {
          parameters,
          kept: { tag: 'weft-1' },
        })
      ).result;
    expect(await check(other, own)).toMatchObject({ isValid: true });
    expect(await check({ ...own, enabled: false })).toMatchObject({ isValid: false });
    expect(await check({ ...own, url: other.url })).toMatchObject({ isValid: false });
    expect(await check(other)).toMatchObject({ isValid: false });
  });

  it('is removed, also without its tag, and no other one is', async () => {
    const remove = (...items: object[]) =>
      requestHook('typeformTrigger', 'remove', credential, withHooks(...items), { parameters });
    expect(requests(await remove(other, own))).toEqual(['GET /forms/f1/webhooks', 'DELETE /forms/f1/webhooks/weft-1']);
    expect(requests(await remove(other))).toHaveLength(1);
  });
});
