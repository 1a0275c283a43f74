import { FormatError } from '../../shared/file-formats/format-error';
import { magick, type IMagickColor } from './magick';

const HEXADECIMAL = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * Parses a colour. In `#rgba` and `#rrggbbaa` the last part is the transparency, as in GraphicsMagick, whose users
 * wrote `#ff000000` for opaque red.
 * @throws FormatError for anything but such digits, a name or `rgb()`
 */
export const colorOf = (written: string): IMagickColor => {
  const text = written.trim();
  try {
    if (text === '') throw new Error('empty');
    if (!text.startsWith('#')) return new magick.MagickColor(text);
    if (!HEXADECIMAL.test(text)) throw new Error('not hexadecimal');
    const digits = text.length <= 5 ? [...text.slice(1)].map((digit) => digit + digit).join('') : text.slice(1);
    const [red = 0, green = 0, blue = 0, transparency = 0] = digits.match(/../g)?.map((two) => parseInt(two, 16)) ?? [];
    return new magick.MagickColor(red, green, blue, 255 - transparency);
  } catch (cause) {
    throw new FormatError(`Not a colour: "${written.slice(0, 100)}". Use "#rrggbb" or a name such as "red"`, { cause });
  }
};
