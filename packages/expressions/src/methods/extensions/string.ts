import { mergeTables } from '../method';
import { stringAddressExtensions } from './string-addresses';
import { stringConversionExtensions } from './string-conversions';
import { stringTextExtensions } from './string-text';

/** Methods that expressions add to strings. */
export const stringExtensions = mergeTables(stringTextExtensions, stringConversionExtensions, stringAddressExtensions);
