export { type TermsSettings, termsFaults } from './settings.js'
export { createTerms, type TermsOptions } from './terms.js'
