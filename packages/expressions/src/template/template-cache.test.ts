import { LIMITS } from '../limits';
import { compileText } from './template-cache';

describe('compileText', () => {
  it('compiles a string once', () => {
    expect(compileText('={{ $json.once }}')).toBe(compileText('={{ $json.once }}'));
  });

  it('evicts the least recently used templates by their number', () => {
    const kept = compileText('={{ $json.kept }}');
    const lost = compileText('={{ $json.lost }}');
    for (let index = 0; index < LIMITS.cachedTemplates; index += 1) {
      compileText(`={{ $json.other${index} }}`);
      compileText('={{ $json.kept }}');
    }
    expect(compileText('={{ $json.kept }}')).toBe(kept);
    expect(compileText('={{ $json.lost }}')).not.toBe(lost);
  });

  it('evicts them by their length too', () => {
    const first = compileText('={{ $json.small }}');
    const long = 'x'.repeat(LIMITS.cachedCharacters / 8);
    for (let index = 0; index < 9; index += 1) compileText(`=${long}${index} {{ 1 }}`);
    expect(compileText('={{ $json.small }}')).not.toBe(first);
  });
});
