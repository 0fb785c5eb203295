// A schema as its author sent it, in plain keywords, as the service reads it. Loaded with the page of a question only.
export { expandSchema } from '../../../functions/contract/expand-schema.ts';
