/** A server with the admin API, and a program that administers. */

import { openRoleStore } from '@ostiary/admin'
import { type AuditRow, openAuditStore } from '@ostiary/audit'
import { onTestFinished } from 'vitest'
import { configuredLog, createApp, type HostStorage } from '../../src/index.ts'
import { configure, FILE, inMemory } from '../support.ts'

export const ISSUER = 'http://localhost:4000'
export const RESOURCE = `${ISSUER}/admin/api/v1`
const CLIENT_SECRET = 'Zq3vB7nM1kXc9wR5tY2uP8sD4fG6hJ0a'
const DEPLOY = {
  client_id: 'deploy',
  client_secret_env: 'DEPLOY_SECRET',
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['client_credentials'],
  optional_scopes: ['clients', 'users', 'audit', 'realms'].map((area) => `${RESOURCE} admin.${area}:write`),
}
export const ON = {
  ...FILE,
  clients: [...FILE.clients, DEPLOY],
  oidc: { acr: 'require' },
  admin: { enabled: true, allow_client_secrets: true },
  audit: { enabled: true },
}

export async function started(file: object = ON, storage: HostStorage = inMemory()) {
  const config = await configure(file, { DEPLOY_SECRET: CLIENT_SECRET })
  const lines: string[] = []
  const app = await createApp(config, {
    log: configuredLog(config, (line) => void lines.push(line)),
    storage,
  })
  onTestFinished(() => app.stop())
  await app.start()
  await openRoleStore(storage).change('default', () => ({
    put: { holder: 'client:deploy', role: 'owner', realms: ['*'] },
  }))
  const send = (path: string, init: RequestInit = {}, address = '192.0.2.77') =>
    app.fetch(new Request(ISSUER + path, init), { address })
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'deploy',
    client_secret: CLIENT_SECRET,
    resource: RESOURCE,
    scope: 'admin.clients:write admin.users:write admin.audit:write admin.realms:write',
  })
  const answer = await send('/oauth/token', { method: 'POST', body: form })
  const { access_token } = await answer.json()
  const call = async (line: string, body?: object, address?: string) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = {
      authorization: `Bearer ${access_token}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await send(`/admin/api/v1${path}`, init, address)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  const rows = async (): Promise<AuditRow[]> => {
    await app.stop()
    return openAuditStore(storage).page('default', { limit: 1000 })
  }
  return { app, call, send, rows, lines, storage, access_token }
}
