import { serveTasks } from '@weft/sandbox/program';
import { MAX_INPUT_BYTES, MAX_RESULT_BYTES } from './tasks';
import { warmUp } from './warm-up';
import { doEncodedTask } from './work';

void serveTasks({ inputBytes: MAX_INPUT_BYTES, resultBytes: MAX_RESULT_BYTES, warmUp, run: doEncodedTask });
