export type { Deed } from './commands/as-command.js'
export type { CommandLine } from './commands/line.js'
export { type Console, createConsole } from './console.js'
export type { ConsoleOptions, ConsoleRequest } from './options.js'
export { type Act, type Again, actPage } from './pages/act.js'
export { type Advised, adviceLink } from './pages/advice.js'
export { problemNote, problemPage, refusalFor, refusalPage } from './pages/errors.js'
export { oncePage } from './pages/once.js'
export {
  code,
  dangerZone,
  doneNote,
  emptyState,
  type Fact,
  type Field,
  factList,
  fieldOf,
  linesIn,
  linkButton,
  nextPage,
  pageHead,
  pill,
  section,
  table,
  timeOf,
  trail,
} from './pages/parts.js'
export {
  ofRole,
  type Protected,
  type Protection,
  protectionNote,
  readProtected,
  within,
} from './pages/protection.js'
export { type ReadRecord, readPage, readRecord } from './pages/read.js'
export { consolePage } from './pages/shell.js'
export { apiPath, pathOf } from './paths.js'
export { type ApiAnswer, type ApiCall, type ApiFault, type ApiProblem, problemOf } from './session/api.js'
export type { SessionRow, SessionRows } from './session/sessions.js'
export { WORDS } from './texts/shell.js'
export { type KeyOf, type TextOf, type Translated, type Translations, textsOf } from './texts/texts-of.js'
export { usersArea } from './users/area.js'
export {
  type Area,
  type HtmlTag,
  type May,
  type Page,
  type PageArea,
  type PageContent,
  type RealmFacts,
  type Visit,
  type VisitWith,
  withTexts,
} from './visit.js'
export { seeOther } from './web/answers.js'
