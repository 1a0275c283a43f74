import { isEmail, normaliseEmail } from './login';

describe('an email', () => {
  it('is normalised in case and surrounding spaces', () => {
    expect(normaliseEmail(' Some.One@Example.TEST ')).toBe('some.one@example.test');
  });

  it.each(['a@b', 'some.one+tag@example.test', 'ü@exämple.test'])('accepts %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each(['', 'a', '@b', 'a@', 'a b@c', 'a@b@c', 'a\n@b', `${'a'.repeat(65)}@b`, `a@${'b'.repeat(190)}`])(
    'refuses %j',
    (text) => {
      expect(isEmail(text)).toBe(false);
    },
  );
});
