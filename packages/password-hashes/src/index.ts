export { isOwnHash, passwordHashFault, withOlderHashes } from './passwords.js'
