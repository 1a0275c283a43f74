import { fileOf } from './library-files';
import { magick } from './magick';

const STYLES = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'] as const;

const nameOf = (style: (typeof STYLES)[number]): string => `arimo-${style}`;

/** Loads the font in its four styles: the program cannot read files once it is sealed. */
export const loadFonts = (): void => {
  for (const style of STYLES) {
    magick.Magick.addFont(nameOf(style), fileOf(`@expo-google-fonts/arimo/${style}/Arimo_${style}.ttf`));
  }
};

/** The library's name of a style. */
export const fontNameOf = ({ isBold, isItalic }: { readonly isBold: boolean; readonly isItalic: boolean }): string =>
  nameOf(isBold ? (isItalic ? '700Bold_Italic' : '700Bold') : isItalic ? '400Regular_Italic' : '400Regular');
