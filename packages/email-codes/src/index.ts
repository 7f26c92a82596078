export { createEmailCodes, type EmailCodesOptions } from './email-codes.js'
