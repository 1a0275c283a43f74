import type { SecretMask } from '@weft/engine';

/**
 * A text on one line, without secrets. It is masked before it is cut, because a part of a secret would not be found.
 */
export function maskedLine(mask: SecretMask, text: string, maxLength: number): string {
  return mask
    .text(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, maxLength);
}
