import { borrowStack, giveStackBack } from '../src/stack/borrowed-stack';
import { STAND_INS } from './stand-ins';

/** A program that borrows a stack, returns it, and then has no work left. */
const main = async (): Promise<void> => giveStackBack(await borrowStack({ programs: STAND_INS }));

void main();
