import { mergeTables } from '../method';
import { stringAddressExtensions } from './string-addresses';
import { stringConversionExtensions } from './string-conversions';
import { stringTextExtensions } from './string-text';

/** Methods that expressions add to texts. */
export const stringExtensions = mergeTables(stringTextExtensions, stringConversionExtensions, stringAddressExtensions);
