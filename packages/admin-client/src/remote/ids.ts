/** Ids that a command chooses, because the API takes them in the address. */

import { randomBytes } from 'node:crypto'

/** 128 random bits, as the server itself makes them. They do not begin with a dash, which a command line would read as an option. */
export const newId = (): string => randomBytes(16).toString('base64url').replace(/^-/, 'A')
