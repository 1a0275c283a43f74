import { isEmail, normaliseEmail } from './login';

describe('an email', () => {
  it('is the same in any case and with spaces around it', () => {
    expect(normaliseEmail(' Some.One@Example.TEST ')).toBe('some.one@example.test');
  });

  it.each(['a@b', 'some.one+tag@example.test', 'ü@exämple.test'])('may be %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each(['', 'a', '@b', 'a@', 'a b@c', 'a@b@c', 'a\n@b', `${'a'.repeat(65)}@b`, `a@${'b'.repeat(190)}`])(
    'may not be %j',
    (text) => {
      expect(isEmail(text)).toBe(false);
    },
  );
});
