import type { FormPage } from '@weft/proto/channels';

/** An empty page. */
export const EMPTY_PAGE: FormPage = { title: '', description: '', button: '', fields: [], css: '' };

/** Name of a field in the page and in its submission. */
export const inputName = (index: number): string => `field-${index}`;

/** True if one of the fields accepts files: the form is then sent as multipart. */
export const takesFiles = ({ fields }: FormPage): boolean => fields.some(({ type }) => type === 'file');
