import { shownMessage } from './shown-message';

describe('the message of a failed run in the log', () => {
  it.each([
    ['500 from https://api.example/v1?token=abc&user=ada now', '500 from https://api.example/v1?[redacted] now'],
    ['connect postgres://ada:s3cret@db.example/x refused', 'connect postgres://[redacted]@db.example/x refused'],
    ['401 with Authorization: Bearer eyJhbGciOi.J9', '401 with Authorization: [redacted] [redacted]'],
    ['{"access_token":"abc123","n":1} is not valid', '{"access_token":"[redacted]","n":1} is not valid'],
    ['password=hunter2; retry', 'password=[redacted]; retry'],
    ['The column "town" does not exist', 'The column "town" does not exist'],
  ])('shows %s without secrets', (message, shown) => expect(shownMessage(message)).toBe(shown));

  it('is one line of at most 300 characters, quickly for any text', () => {
    expect(shownMessage('a\n\n  b\tc ')).toBe('a b c');
    const begun = performance.now();
    const scheme = `${'a'.repeat(1e5)}://${'b'.repeat(1e6)}`;
    for (const text of ['x'.repeat(1e6), 'https://'.repeat(1e5), 'token:'.repeat(1e5), scheme])
      expect(shownMessage(text).length).toBeLessThanOrEqual(301);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
