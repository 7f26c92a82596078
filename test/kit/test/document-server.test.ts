import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { documentServer } from '../src/document-server.ts'

/** In a process of its own, because Node reads the certificate when it starts. */
const FETCH = `
const { Agent } = require('node:https')
const lookup = (_host, options, done) => done(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4)
require('node:https').get(process.argv[1], { agent: new Agent({ lookup }) }, (response) => {
  response.setEncoding('utf8').on('data', (text) => console.log(response.statusCode, text))
}).on('error', ({ code }) => console.log(code))
`

it('serves a document to a process that trusts its certificate, and can go down and come back', async () => {
  const documents = await documentServer(['client.localhost'])
  onTestFinished(() => documents.close())
  const fetched = async (url: string, env = { NODE_EXTRA_CA_CERTS: documents.ca_file }) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', FETCH, url], { env })
    return stdout.trim()
  }
  const url = documents.url('client.localhost', '/client.json')
  documents.put(url, { client_id: url })
  expect(await fetched(url)).toBe(`200 {"client_id":"${url}"}`)
  expect(await fetched(url, { NODE_EXTRA_CA_CERTS: '' })).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(await fetched(documents.url('other.localhost', '/'))).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(documents.requests(url)).toBe(1)
  await documents.down()
  expect(await fetched(url)).toBe('ECONNREFUSED')
  await documents.up()
  expect(await fetched(url)).toContain('200')
})
