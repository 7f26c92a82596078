import { describe, expect, it } from 'vitest'
import { MAX_FORM_BYTES, readForm } from './form.js'

const request = (body?: Uint8Array<ArrayBuffer>) =>
  new Request('https://id.example.com/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...(body && { body }),
  })
const bytes = (length: number) => new Uint8Array(length).fill(0x61)

describe.each([
  ['read here', (body: Uint8Array<ArrayBuffer>) => readForm({ request: request(body) })],
  ['read by the host', (body: Uint8Array<ArrayBuffer>) => readForm({ request: request(), body })],
])('a form %s', (_, read) => {
  it('of the largest size is accepted', async () => {
    expect(await read(bytes(MAX_FORM_BYTES))).toHaveProperty('params')
  })

  it('that is a byte larger is too large', async () => {
    expect(await read(bytes(MAX_FORM_BYTES + 1))).toEqual({ fault: 'too_large' })
  })

  it('may be empty', async () => {
    expect(await read(bytes(0))).toHaveProperty('params')
  })
})
