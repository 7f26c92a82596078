/**
 * The script of the pages with passkeys: one static file, for `script-src 'self'`. It sends nothing itself: the result of the browser goes
 * into a field of the form.
 *
 * A page links to it with `defer`, and has:
 * - a form with `data-passkey="create"` or `"get"`, with the options (options.ts) as JSON in `data-options`, and a hidden field `passkey`;
 *   with `data-conditional` a form of `get` offers passkeys in the list of the user name's field, whose `autocomplete` ends with `webauthn`;
 * - in the form, `<button type="button" data-passkey-button hidden>`, and `[data-passkey-error]` (`role=alert`, `hidden`) with sentences in
 *   `data-cancelled`, `data-unsupported` and `data-exists`;
 * - a field whose `autocomplete` has `webauthn`: its form gets the field `can_add_passkey` where the device has an authenticator of its own;
 * - anywhere, `[data-passkey-shown]` (`hidden`), which only browsers with passkeys show; `[data-passkey-missing]` (`hidden`), which only
 *   browsers without them show; `[data-signal]`, a method of `PublicKeyCredential`, with its options as JSON in
 *   `data-options`; and `[data-print]`, a button (`hidden`);
 * - in a form with `new_password` and `new_password_again`, `[data-show]`, a button (`hidden`) that shows what was typed there.
 */

import { script } from '../../web/assets.js'
import { PASSKEY_SCRIPT_VERSION } from './passkey-script-version.js'

/**
 * The result is written by hand, not with `toJSON()`: that repeats the authenticator data in an attestation object. `authenticatorData` is
 * a function at a registration and a member at a sign-in.
 */
export const PASSKEY_SCRIPT = script`'use strict';
(() => {
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}
for (const button of document.querySelectorAll('[data-show]')) {
  const { form } = button;
  let shown;
  const show = (next) => {
    shown = next;
    button.setAttribute('aria-pressed', shown);
    for (const name of ['new_password', 'new_password_again'])
      form.elements[name].type = shown ? 'text' : 'password';
  };
  show(false);
  button.hidden = false;
  button.addEventListener('click', () => show(!shown));
  // Browsers offer to fill in what was sent as text.
  form.addEventListener('submit', () => show(false));
}
const Key = window.PublicKeyCredential;
if (!Key) {
  for (const missing of document.querySelectorAll('[data-passkey-missing]')) missing.hidden = false;
  return;
}

const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const text = (buffer) => buffer
  ? btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  : undefined;
const list = (items) => items.map((item) => Object.assign({}, item, { id: bytes(item.id) }));

// For browsers without the parsers of Level 3.
const parsers = {
  create: (json) => Key.parseCreationOptionsFromJSON?.(json) ?? Object.assign({}, json, {
    challenge: bytes(json.challenge),
    user: Object.assign({}, json.user, { id: bytes(json.user.id) }),
    excludeCredentials: list(json.excludeCredentials),
  }),
  get: (json) => Key.parseRequestOptionsFromJSON?.(json) ?? Object.assign({}, json, {
    challenge: bytes(json.challenge),
    allowCredentials: list(json.allowCredentials),
  }),
};

// Members that are undefined are left out of the JSON.
const results = {
  create: (response) => ({
    authenticatorData: text(response.getAuthenticatorData?.()),
    publicKey: text(response.getPublicKey?.()),
    publicKeyAlgorithm: response.getPublicKeyAlgorithm?.(),
    transports: response.getTransports?.() ?? [],
  }),
  get: (response) => ({
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    userHandle: text(response.userHandle),
  }),
};

function send(form, kind, credential) {
  const id = text(credential.rawId);
  const response = results[kind](credential.response);
  response.clientDataJSON = text(credential.response.clientDataJSON);
  form.elements.passkey.value = JSON.stringify({ id, rawId: id, type: credential.type, response });
  form.submit();
}

const sentences = { NotAllowedError: 'cancelled', InvalidStateError: 'exists' };

function show(form, error) {
  const place = form.querySelector('[data-passkey-error]');
  if (!place) return;
  place.hidden = error === null;
  place.textContent = error === null ? '' : place.dataset[sentences[error.name] ?? 'unsupported'] ?? '';
}

function start(form) {
  const kind = form.dataset.passkey;
  const options = () => parsers[kind](JSON.parse(form.dataset.options));
  const buttons = form.querySelectorAll('[data-passkey-button]');
  // The request of the list, and whether that of the button is under way: a browser allows one at a time.
  let waiting = null;
  let busy = false;

  // Passkeys in the list of the field for the user name, until the button is used.
  async function offer() {
    if (kind !== 'get' || !('conditional' in form.dataset)) return;
    if (!await Key.isConditionalMediationAvailable?.() || waiting || busy) return;
    const controller = new AbortController();
    const done = navigator.credentials
      .get({ publicKey: options(), mediation: 'conditional', signal: controller.signal })
      .then((credential) => { if (!controller.signal.aborted) send(form, kind, credential); })
      .catch(() => {});
    waiting = { controller, done };
  }

  async function ask() {
    busy = true;
    show(form, null);
    for (const button of buttons) button.disabled = true;
    waiting?.controller.abort();
    await waiting?.done;
    waiting = null;
    try {
      send(form, kind, await navigator.credentials[kind]({ publicKey: options() }));
    } catch (error) {
      show(form, error);
    }
    busy = false;
    for (const button of buttons) button.disabled = false;
    if (!form.elements.passkey.value) offer().catch(() => {});
  }

  for (const button of buttons) {
    button.addEventListener('click', ask);
    button.hidden = false;
  }
  offer().catch(() => {});
}

for (const shown of document.querySelectorAll('[data-passkey-shown]')) shown.hidden = false;
for (const form of document.querySelectorAll('form[data-passkey]')) start(form);
for (const { form } of document.querySelectorAll('[autocomplete~=webauthn]'))
  (async () => {
    if (!await Key.isUserVerifyingPlatformAuthenticatorAvailable?.()) return;
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: 'can_add_passkey', value: '1' });
    form.append(field);
  })().catch(() => {});
for (const { dataset } of document.querySelectorAll('[data-signal]'))
  (async () => Key[dataset.signal]?.(JSON.parse(dataset.options)))().catch(() => {});
})();
`

/** Answers with the script. The pages link to it with the version in the query. */
export async function getPasskeyScript({ request }: { request: Request }): Promise<Response> {
  // The content at an address with a version never changes.
  const versioned = new URL(request.url).searchParams.get('v') === PASSKEY_SCRIPT_VERSION
  return new Response(PASSKEY_SCRIPT, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': versioned ? 'public, max-age=31536000, immutable' : 'no-cache',
      'x-content-type-options': 'nosniff',
    },
  })
}
