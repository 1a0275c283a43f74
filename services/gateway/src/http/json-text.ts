export { furtherMembers, objectText, quote, timeText } from '@weft/proto/json-text';
