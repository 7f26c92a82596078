/** Links of an operator, and the pages that follow. */

import { createRecoveryLink } from '../src/index.js'
import { subOf } from './_account.js'
import { type Form, formWith } from './_factors.js'
import { type Browser, browser, type Setup } from './_setup.js'

/** Makes a link, as the command does. */
export async function linkFor(s: Setup, { realm = 'default', username = 'ada' } = {}): Promise<string> {
  const user = await s.users(realm).find(await subOf(s, username, realm))
  if (!user) throw new Error(`There is no ${username}`)
  const located = await s.provider.locate(new Request(`${s.base(realm)}/login/ticket`))
  if (!located) throw new Error('No realm')
  const { url } = await createRecoveryLink(s.tickets(realm), { realm: located.realm, user, now: s.clock.now })
  return url
}

/** The form of the link's page. */
export async function openLink(b: Browser, url: string): Promise<Form> {
  return formWith(await (await b.get(url)).text(), { action: 'begin' })
}

/** Presses the button. Returns the first page of the recovery. */
export async function pressLink(b: Browser, url: string): Promise<string> {
  const form = await openLink(b, url)
  return follow(b, await b.post(form.url, form.fields))
}

/** The page after a redirect. */
export async function follow(b: Browser, answer: Response): Promise<string> {
  if (answer.status !== 303)
    throw new Error(`Expected a redirect, not ${answer.status}: ${await answer.text()}`)
  return (await b.get(answer.headers.get('location') ?? '')).text()
}

/** A browser in which the link was used, and the page that it shows. */
export async function begun(s: Setup): Promise<{ b: Browser; html: string }> {
  const b = browser(s)
  return { b, html: await pressLink(b, await linkFor(s)) }
}

/** Posts one of the page's forms, with more fields. */
export function send(
  b: Browser,
  html: string,
  { action, ...more }: { action: string } & Record<string, string>,
): Promise<Response> {
  const { url, fields } = formWith(html, { action })
  return b.post(url, { ...fields, ...more })
}

export const newPassword = (password: string) => ({ new_password: password, new_password_again: password })

/** The ids in the page on which the user decides. */
export const asked = (html: string): string[] => [
  ...new Set([...html.matchAll(/type="radio" name="([^"]*)"/g)].map(([, id = '']) => id)),
]

/** The same decision for all. */
export const decideAll = (html: string, decision: 'keep' | 'remove'): Record<string, string> =>
  Object.fromEntries(asked(html).map((id) => [id, decision]))
