export { AdminApiError, type Problem, type ProblemMember } from './connection/admin-api-error.js'
export type { AdminAnswer, AdminCall } from './connection/call.js'
export { type AdminConnection, type ConnectionOptions, openConnection } from './connection/connection.js'
export { LoginError } from './login-error.js'
