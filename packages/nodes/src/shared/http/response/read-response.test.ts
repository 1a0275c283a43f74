import type { OutboundResponse } from '@weft/outbound';
import { readResponse } from './read-response';

const responseOf = (text: string): OutboundResponse => ({
  url: 'http://a.example/',
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text),
});

describe('the body of a response', () => {
  const long = JSON.stringify({ text: 't'.repeat(2_000_000) });
  const go = (): undefined => undefined;
  const stop = (): Promise<void> => Promise.reject(new Error('The run was stopped'));

  it.each(['autodetect', 'json', 'text'] as const)(
    'does not count as broken in the format "%s" if its run is stopped while it is read',
    async (format) => {
      const settings = { format, property: 'data', isFull: false, neverError: true, parsesText: true };
      await expect(readResponse(responseOf(long), settings, stop)).rejects.toThrow('The run was stopped');
      expect(await readResponse(responseOf(long), settings, go)).toMatchObject({ body: JSON.parse(long) });
    },
  );

  it('is a failure of the node if JSON is required and the body is invalid', async () => {
    const settings = { format: 'json', property: 'data', isFull: false, neverError: false } as const;
    await expect(readResponse(responseOf('{'), settings, go)).rejects.toThrow('Response body is not valid JSON');
  });
});
