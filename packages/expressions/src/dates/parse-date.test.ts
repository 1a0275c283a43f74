import { isReadableFormat } from './parse-date';

describe('isReadableFormat', () => {
  it.each([
    "yyyy-MM-dd'T'HH:mm:ss.SSSZZ",
    'cccc, dd LLLL yyyy HH:mm:ss.SSS ZZZ z',
    'd/M/yy',
    "'the day' d",
    'ff',
    'D T',
    'EEEE, MMMM d, y h:m:s a ZZZ',
    'dd LLLL y H:m:s.S z',
  ])('accepts %s', (format) => {
    expect(isReadableFormat(format)).toBe(true);
  });

  it.each(['dM'.repeat(20), 'S-o-'.repeat(10), 'ff FF D t', 'uyuyuyuyuyuyuyuy', 'z z z'])(
    'does not accept %s',
    (format) => {
      expect(isReadableFormat(format)).toBe(false);
    },
  );
});
