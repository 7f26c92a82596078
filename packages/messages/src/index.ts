/** The texts of the pages and the mails of `@ostiary/identity`, and the choice of their language. */

export { authenticatorName } from './authenticators.js'
export { type Catalog, de, en, fr, type MessageKey, type MessageParameter } from './catalogs.js'
export { catalogFaults, type LanguageCatalog, type LanguagesOptions } from './check-catalog.js'
export { acceptedLanguages, directionOf, findLanguage, lookUp } from './choose.js'
export { type Device, deviceOf } from './device-name.js'
export { type Message, type MessagePart, partsOf } from './message.js'
