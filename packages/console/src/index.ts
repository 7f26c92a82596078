export { type Console, createConsole } from './console.js'
export type { ConsoleOptions, ConsoleRequest } from './options.js'
export type { SessionRow, SessionRows } from './session/sessions.js'
export type { Area, HtmlTag, May } from './visit.js'
