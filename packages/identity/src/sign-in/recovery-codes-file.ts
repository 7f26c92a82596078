import { badForm } from '../pages/bad-form.js'
import type { User } from '../users/user-store.js'
import { pickFields } from '../web/form.js'
import type { PageContext } from './context.js'

const CODE = /^[0-9a-z]{4}(?:-[0-9a-z]{4}){3}$/
const MAX_CODES = 20

/** Answers with the codes that the page has shown, as a file: they are stored as hashes alone, so the form sends them back. */
export function recoveryCodesFile(c: PageContext, user: User, params: URLSearchParams): Response {
  const form = pickFields(params, ['codes'])
  const codes = 'fault' in form ? [] : form.fields.codes.split(' ', MAX_CODES)
  if (codes.length === 0 || !codes.every((code) => CODE.test(code))) return badForm(c, { fault: 'malformed' })
  const { text } = c.language
  const name = c.theme.name ?? new URL(c.realm.issuer).host
  const heading = text('recovery.file', { provider: name, username: user.username })
  const lines = [heading, '', ...codes, '', text('recovery.meaning')]
  // A name has no line end of its own.
  const file = lines.map((line) => `${line.replace(/\p{Cc}/gu, ' ')}\r\n`).join('')
  return new Response(file, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="recovery-codes.txt"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}
