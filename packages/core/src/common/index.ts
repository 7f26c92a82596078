/**
 * What packages need that a server loads only where its configuration asks for them: no schema, no key, no other package. A server has a
 * copy of the rest of core in its own program, and `@ostiary/core` would be a second one.
 */

export { ConfigError, type ConfigFault, refuseFaults } from '../config/config-error.js'
export { referenceByHash } from '../refusals/reference.js'
export { addressKeys, PEER_LIMIT_FACTOR } from '../request/counter-keys.js'
export { isStorableText } from '../storage/storable-client.js'
export { inParallel } from '../util/in-parallel.js'
export { isLoopbackHost } from '../util/loopback.js'
export { unlessAborted } from '../util/unless-aborted.js'
export { addressIn, isAddress, isolated, MAX_USERNAME_LENGTH, usernameKey } from '../util/usernames.js'
