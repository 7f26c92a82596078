/**
 * Stands in the query of the script's address, so that browsers keep the script for ever: 12 characters of the SHA-256 of
 * its source. It is written here because each page has it, and few load the script; a test compares both.
 */
export const PASSKEY_SCRIPT_VERSION = '6NHvWDnSGlwh'
