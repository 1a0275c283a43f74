import type { FormPage } from '@weft/proto/channels';

/** A page that nothing is known of. */
export const EMPTY_PAGE: FormPage = { title: '', description: '', button: '', fields: [], css: '' };

/** The name that a field has in the page and in what the page sends. */
export const inputName = (index: number): string => `field-${index}`;

/** True if one of the fields takes files: the form is sent as multipart then. */
export const takesFiles = ({ fields }: FormPage): boolean => fields.some(({ type }) => type === 'file');
