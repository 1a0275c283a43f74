import { prefersMinimal } from './prefer';

describe('prefersMinimal', () => {
  it.each(['return=minimal', 'respond-async, return = "minimal"', 'Return=minimal; x=y'])('holds for %s', (prefer) => {
    expect(prefersMinimal({ prefer })).toBe(true);
  });

  it.each([undefined, '', 'return=representation', 'return=minimalist', 'x=return=minimal'])(
    'does not hold for %s',
    (prefer) => {
      expect(prefersMinimal({ prefer })).toBe(false);
    },
  );
});
