export { createRecovery, type RecoveryOptions } from './recovery.js'
export { type RecoverySettings, recoveryFaults } from './settings.js'
