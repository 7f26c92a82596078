/** The pages of the device authorization grant for an application that supplies none. */

import { escapeHtml, plainPage } from '../../request/plain-pages.js'
import type { DeviceConfirmation, DevicePrompt } from './prompts.js'

export async function plainDevicePage(prompt: DevicePrompt): Promise<Response> {
  switch (prompt.page) {
    case 'code':
      return codePage(prompt.action, prompt)
    case 'sign_in':
      return plainPage(
        'Sign in first',
        `<p>Nobody is signed in in this browser. Sign in at ${escapeHtml(new URL(prompt.realm.issuer).host)}, then open this address again:</p>
<p>${escapeHtml(prompt.realm.issuer + prompt.return_to.path)}</p>`,
      )
    case 'confirm':
      return confirmationPage(prompt.action, prompt)
    case 'approved':
      return plainPage('The device is connected', '<p>You can close this page.</p>')
    case 'refused':
      return plainPage('The device is refused', '<p>It gets no access. You can close this page.</p>')
  }
}

const PROBLEMS = {
  unknown: 'This code is not valid, or not any more. Enter the code that the device shows.',
  expired: 'The page was open for too long, or was answered before. Enter the code again.',
}

function codePage(action: string, { user_code, problem }: Extract<DevicePrompt, { page: 'code' }>): Response {
  const note = problem === null ? '' : `<p role="alert">${PROBLEMS[problem]}</p>`
  return plainPage(
    'Connect a device',
    `${note}<form method="post" action="${escapeHtml(action)}"><label>The code that the device shows <input name="user_code" value="${escapeHtml(user_code ?? '')}" required autocomplete="off"></label> <button>Continue</button></form>`,
  )
}

function confirmationPage(action: string, asked: DeviceConfirmation): Response {
  const { client, scopes, resources, address, is_other_address, any_program, requested_at } = asked
  const name = escapeHtml(client.client_name)
  const maker = client.origin === 'operator' ? '' : ` (${escapeHtml(client.client_id)})`
  const items = scopes.map(({ value, description }) => `<li>${escapeHtml(description ?? value)}</li>`)
  const place = address === null ? '' : `, from ${escapeHtml(address)}`
  const other = is_other_address ? '<p>That is not the address of this browser.</p>' : ''
  const time = new Date(requested_at * 1000).toUTCString()
  const at = resources.map((uri) => `<p>At ${escapeHtml(uri)}</p>`).join('')
  const days = Math.ceil(asked.max_lifetime / 86_400)
  return plainPage(
    'Connect this device?',
    `<p>Compare this code with the one that your device shows: <strong>${escapeHtml(asked.user_code)}</strong></p>
<p>${name}${maker} asks for access to your account.${any_program ? ' Any program could be asking in its name.' : ''}</p>
<ul>${items.join('')}</ul>${at}
<p>It keeps this access after you sign out, for at most ${days} days.</p>
<p>The device asked at ${time}${place}.</p>${other}
<p>Did somebody send you this code? Then refuse.</p>
<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="confirmation_token" value="${escapeHtml(asked.confirmation_token)}">
<button name="answer" value="refuse">Refuse</button> <button name="answer" value="allow">Allow</button></form>`,
  )
}
